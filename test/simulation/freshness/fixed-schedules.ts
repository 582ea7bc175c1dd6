// Schedules with a fixed interval per page, for comparison. Proportional and the optimum know the true rates.

import type { ChangingPage } from './changing-web.ts'
import { type Freshness, freshnessMeter } from './freshness-meter.ts'

export interface ScheduleLimits {
  visitsPerMs: number
  minMs: number
  maxMs: number
}

export function uniformIntervals(pages: ChangingPage[], { visitsPerMs }: ScheduleLimits): number[] {
  return pages.map(() => pages.length / visitsPerMs)
}

export function proportionalIntervals(pages: ChangingPage[], limits: ScheduleLimits): number[] {
  return spendBudget(pages, limits, (page, price) => price / page.rate)
}

/**
 * Visits all pages at the same crawl value: the solution of the convex problem with the true rates, within the bounds.
 */
export function optimalIntervals(pages: ChangingPage[], limits: ScheduleLimits): number[] {
  return spendBudget(pages, limits, ({ rate, importance }, price) => {
    const target = (price * rate) / importance
    return target >= 1 ? Number.POSITIVE_INFINITY : solveGain(target) / rate
  })
}

/** Freshness of a page with random changes and a fixed interval between observations, for checks. */
export function expectedFreshness(rate: number, intervalMs: number): number {
  return -Math.expm1(-rate * intervalMs) / (rate * intervalMs)
}

export function simulateIntervals(
  pages: ChangingPage[],
  intervals: number[],
  window: { start: number; end: number },
): Freshness {
  const meter = freshnessMeter({ ...window, pages: pages.length })
  pages.forEach(({ importance, process }, i) => {
    const interval = intervals[i] ?? 0
    // Staggered without chance: the golden ratio spreads any number of pages evenly.
    let to = ((i * 0.618034) % 1) * interval
    for (let from = 0; from < window.end; from = to, to += interval) {
      meter.add({ importance, from, staleAt: process.firstChangeAfter(from), to })
    }
  })
  return meter.result()
}

/** Finds the price of a visit at which the budget is used up. */
function spendBudget(
  pages: ChangingPage[],
  { visitsPerMs, minMs, maxMs }: ScheduleLimits,
  intervalAt: (page: ChangingPage, price: number) => number,
): number[] {
  const intervalsAt = (price: number) => pages.map((page) => Math.min(maxMs, Math.max(minMs, intervalAt(page, price))))
  let low = 1e-3
  let high = 1e18
  while (high / low > 1 + 1e-6) {
    const price = Math.sqrt(low * high)
    const visits = intervalsAt(price).reduce((sum, interval) => sum + 1 / interval, 0)
    if (visits > visitsPerMs) low = price
    else high = price
  }
  return intervalsAt(high)
}

/** x with 1 - exp(-x) (1 + x) = target. */
function solveGain(target: number): number {
  let low = 0
  let high = 60
  for (let i = 0; i < 50; i++) {
    const x = (low + high) / 2
    if (1 - Math.exp(-x) * (1 + x) < target) low = x
    else high = x
  }
  return high
}
