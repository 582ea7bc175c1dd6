// Runs every policy on the same web with the same number of visits, and ours with each kind of signal.

import type { RevisitBounds } from '../../../src/frontier/recrawl/due-time.ts'
import type { TestStore } from '../../../src/ports/contracts/testing/store-harness.ts'
import { DAY_MS, makeChangingWeb } from './changing-web.ts'
import {
  optimalIntervals,
  proportionalIntervals,
  type ScheduleLimits,
  simulateIntervals,
  uniformIntervals,
} from './fixed-schedules.ts'
import type { Freshness } from './freshness-meter.ts'
import { placePages } from './known-importance.ts'
import { nutchPolicy } from './nutch-policy.ts'
import { ourPolicy } from './our-policy.ts'
import type { SignalWorld } from './signals.ts'
import { simulatePolicy, type VisitBudget } from './simulate-policy.ts'
import { type StoreRun, simulateStore } from './simulate-store.ts'

export interface Comparison {
  pages: number
  seed: number
  perDay: number
  bounds: RevisitBounds
  learnDays: number
  measureDays: number
}

export const FIXED_POLICIES = ['uniform', 'proportional', 'optimum'] as const
export type FixedPolicy = (typeof FIXED_POLICIES)[number]

const INTERVALS = { uniform: uniformIntervals, proportional: proportionalIntervals, optimum: optimalIntervals }

/** `knows`: pages have the importance that a store can know. */
export function runFixed(name: FixedPolicy, comparison: Comparison, knows: 'all' | 'store' = 'all'): Freshness {
  const pages = knows === 'store' ? placePages(webOf(comparison)) : webOf(comparison)
  const limits: ScheduleLimits = { visitsPerMs: comparison.perDay / DAY_MS, ...comparison.bounds }
  return simulateIntervals(pages, INTERVALS[name](pages, limits), windowOf(comparison))
}

export function runNutch(comparison: Comparison): Freshness {
  const { perDay, bounds, seed } = comparison
  const pages = webOf(comparison)
  const policy = nutchPolicy(pages.length, { startMs: (pages.length / perDay) * DAY_MS, ...bounds })
  return simulatePolicy(policy, {
    pages,
    signals: 'none',
    budget: tokenBucket(perDay),
    window: windowOf(comparison),
    seed,
  })
}

export function runOurs(signals: SignalWorld, comparison: Comparison): Freshness {
  const { perDay, bounds, seed } = comparison
  const pages = webOf(comparison)
  const { policy, budget } = ourPolicy(pages, { signals, bounds, perDay })
  return simulatePolicy(policy, { pages, signals, budget, window: windowOf(comparison), seed })
}

/** Runs on a store, which is empty at first. */
export function runStore(store: TestStore, signals: SignalWorld, comparison: Comparison): Promise<StoreRun> {
  return simulateStore({ store, pages: placePages(webOf(comparison)), signals, comparison })
}

/** Freshness gained over uniform visits, as a share of the optimum's gain. */
export function gainOf(result: Freshness, { uniform, optimum }: Record<'uniform' | 'optimum', Freshness>): number {
  return (result.freshness - uniform.freshness) / (optimum.freshness - uniform.freshness)
}

/** A new web for each run, since pages keep track of their changes. */
function webOf({ pages, seed }: Comparison) {
  return makeChangingWeb(pages, seed)
}

function windowOf({ learnDays, measureDays }: Comparison): { start: number; end: number } {
  return { start: learnDays * DAY_MS, end: (learnDays + measureDays) * DAY_MS }
}

function tokenBucket(perDay: number): VisitBudget {
  let tokens = 0
  let refilledAt = 0
  return {
    refill(now) {
      tokens = Math.min(Math.max(1, perDay / 24), tokens + ((now - refilledAt) / DAY_MS) * perDay)
      refilledAt = now
      return Math.floor(tokens)
    },
    spend(visits) {
      tokens -= visits
    },
  }
}
