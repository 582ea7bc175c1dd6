// The value of a revisit at a given time. The value of a page of importance m, seen t ago, that is unchanged after s
// with the probability U(s), is m (integral of U from 0 to t - t U(t)): the freshness gained per visit by visiting
// more often. Visits are best spent if all pages are visited at the same value, the threshold. For a known rate d this
// is (m / d) (1 - exp(-d t) (1 + d t)), see Azar et al. 2018. For a rate known from evidence, U is the mean over all
// rates, so that a little-known page is worth a visit sooner or later, however fast it seems to change.

import type { ChangeEvidence } from './change-rate.ts'

const SERIES_BELOW = 1e-4
const MAX_STEPS = 60
const PRECISION = 1e-6
/** About 30,000 years. */
const LONGEST_MS = 1e15

/** Milliseconds of freshness, times importance. Grows with the time since the last observation. */
export function crawlValue(posterior: ChangeEvidence, importance: number, elapsedMs: number): number {
  return importance * freshnessGain(posterior, elapsedMs > 0 ? Math.min(elapsedMs, LONGEST_MS) : 0)
}

/** Time after which the crawl value reaches the threshold: at most `maxMs`, even if it never does. */
export function timeUntilWorth(
  posterior: ChangeEvidence,
  { importance, threshold, maxMs }: { importance: number; threshold: number; maxMs: number },
): number {
  const target = threshold / importance
  if (!(freshnessGain(posterior, Math.min(maxMs, LONGEST_MS)) > target)) return maxMs
  if (target <= 0) return 0
  // Newton's method, or bisection where it would leave the bracket. The gain is at most changes t^2 / (2 observedMs).
  let low = Math.sqrt((2 * target * posterior.observedMs) / posterior.changes)
  let high = maxMs
  let time = low
  for (let step = 0; step < MAX_STEPS; step++) {
    const excess = freshnessGain(posterior, time) - target
    if (excess < 0) low = time
    else high = time
    const newton = time - excess / gainSlope(posterior, time)
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - time) <= PRECISION * next) return next
    time = next
  }
  return time
}

function freshnessGain({ changes, observedMs }: ChangeEvidence, elapsedMs: number): number {
  const ratio = elapsedMs / observedMs
  // The difference below would cancel out.
  if (ratio * (changes + 1) < SERIES_BELOW) return ((changes * elapsedMs) / 2) * ratio
  const log = Math.log1p(ratio)
  const excess = changes - 1
  const integral = observedMs * (Math.abs(excess) < 1e-9 ? log : -Math.expm1(-excess * log) / excess)
  return integral - elapsedMs * Math.exp(-changes * log)
}

/** Derivative of `freshnessGain`: t times the density of the first change. */
function gainSlope({ changes, observedMs }: ChangeEvidence, elapsedMs: number): number {
  const log = Math.log1p(elapsedMs / observedMs)
  return (elapsedMs * (changes / observedMs) * Math.exp(-changes * log)) / (1 + elapsedMs / observedMs)
}
