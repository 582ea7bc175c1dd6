// How often does a page change? Changes are taken for a Poisson process with an unknown rate. What is known of the rate is
// a gamma distribution, written as two numbers that read as evidence: `changes` seen in `observedMs`. The history of a URL
// holds its own evidence, without the prior, so that the prior of its host can improve later.

/** Evidence about a rate: its mean is changes / observedMs. Of a URL, of a prior, or of both together. */
export interface ChangeEvidence {
  changes: number
  observedMs: number
}

/** What a revisit found. */
export interface Look {
  /** Time since the look before. */
  elapsedMs: number
  isChanged: boolean
  /**
   * Probability that a signal announced the change and caused the look, 0 without one (`explainedBySignal` of signals.ts).
   * Such a look does not happen at a random time: only the change itself counts, not that it came within the interval.
   */
  announced: number
}

export const NO_EVIDENCE: ChangeEvidence = { changes: 0, observedMs: 0 }

/** Older looks fade: about this many remain. It lets the estimate follow a page whose rate changes. */
const REMEMBERED_LOOKS = 100

/** Keeps the numbers finite, whatever a clock or a stored row contains. */
const MAX_OBSERVED_MS = 1e15
const MIN_PRIOR: ChangeEvidence = { changes: 0.01, observedMs: 1 }

/** The evidence of a URL together with its prior. Never zero, never NaN. */
export function beliefOf(history: ChangeEvidence, prior: ChangeEvidence): ChangeEvidence {
  return {
    changes: finite(history.changes, 0, 1e9) + finite(prior.changes, MIN_PRIOR.changes, 1e9),
    observedMs:
      finite(history.observedMs, 0, MAX_OBSERVED_MS) + finite(prior.observedMs, MIN_PRIOR.observedMs, MAX_OBSERVED_MS),
  }
}

/** Expected changes per millisecond. */
export function changeRate({ changes, observedMs }: ChangeEvidence): number {
  return changes / observedMs
}

/** Probability that a page has not changed after this time. */
export function unchangedProbability({ changes, observedMs }: ChangeEvidence, elapsedMs: number): number {
  return Math.exp(-changes * Math.log1p(elapsedMs / observedMs))
}

/** The history of a URL after another look at it. */
export function recordLook(history: ChangeEvidence, look: Look, prior: ChangeEvidence): ChangeEvidence {
  const elapsedMs = finite(look.elapsedMs, 0, MAX_OBSERVED_MS)
  const gain = look.isChanged
    ? gainOfChange(beliefOf(history, prior), elapsedMs, finite(look.announced, 0, 1))
    : { changes: 0, observedMs: elapsedMs }
  const keep = 1 - 1 / REMEMBERED_LOOKS
  return {
    changes: finite(history.changes, 0, 1e9) * keep + gain.changes,
    observedMs: finite(history.observedMs, 0, MAX_OBSERVED_MS) * keep + gain.observedMs,
  }
}

/**
 * An announced change counts once, at its time. One found by chance says only that at least one change happened: the
 * distribution of the rate is then no gamma distribution, and is replaced by the one with the same mean and variance.
 */
function gainOfChange(belief: ChangeEvidence, elapsedMs: number, announced: number): ChangeEvidence {
  const found = gainOfFoundChange(belief, elapsedMs)
  return {
    changes: announced + (1 - announced) * found.changes,
    observedMs: announced * elapsedMs + (1 - announced) * found.observedMs,
  }
}

function gainOfFoundChange({ changes, observedMs }: ChangeEvidence, elapsedMs: number): ChangeEvidence {
  if (elapsedMs <= 0) return NO_EVIDENCE
  // The moments of a density in proportion to x^(changes-1) exp(-x observedMs) (1 - exp(-x elapsedMs)).
  const log = Math.log1p(elapsedMs / observedMs)
  const share0 = -Math.expm1(-changes * log)
  const share1 = -Math.expm1(-(changes + 1) * log)
  const share2 = -Math.expm1(-(changes + 2) * log)
  const mean = ((changes / observedMs) * share1) / share0
  const square = ((changes / observedMs) * ((changes + 1) / observedMs) * share2) / share0
  const variance = square - mean * mean
  if (!(variance > 0)) return NO_EVIDENCE
  return {
    changes: finite((mean * mean) / variance - changes, 0, 1),
    observedMs: finite(mean / variance - observedMs, 0, elapsedMs),
  }
}

/** Clamped; NaN becomes the lower bound. */
function finite(value: number, min: number, max: number): number {
  return value > min ? Math.min(value, max) : min
}
