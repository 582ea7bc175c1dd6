// Estimates how often a page changes. Changes are modelled as a Poisson process with an unknown rate. Knowledge about
// the rate is a gamma distribution, written as two numbers that read as evidence: `changes` seen in `observedMs`. The
// history of a URL holds its own evidence, without the prior, so that the prior of its host can improve later.

/** Evidence about a rate, from a URL, from a prior, or from both together. Its mean is changes / observedMs. */
export interface ChangeEvidence {
  changes: number
  observedMs: number
}

/** Findings of a revisit. */
export interface Observation {
  /** Time since the observation before. */
  elapsedMs: number
  isChanged: boolean
  /** Null if no signal came before the observation. */
  announcement: Announcement | null
}

/**
 * A signal that may have announced the change, and so caused the observation. The time of such an observation is not
 * random: what counts is the time of the signal, not that some change came before the observation.
 */
export interface Announcement {
  /** Time between the observation before and the signal. */
  afterMs: number
  /** Probability that it is true (`announcementOf` of signals.ts). */
  probability: number
}

export const NO_EVIDENCE: ChangeEvidence = { changes: 0, observedMs: 0 }

/**
 * Older evidence fades: evidence of about this many changes remains, so that the estimate follows a rate that changes.
 */
const REMEMBERED_CHANGES = 50
/** The prior counts half after this many changes. It may be orders of magnitude off. */
const CHANGES_OUTWEIGHING_PRIOR = 5

/** Keeps the numbers finite, whatever a clock or a stored row contains. */
const MAX_CHANGES = 1e9
const MAX_OBSERVED_MS = 1e15
const MIN_PRIOR: ChangeEvidence = { changes: 0.01, observedMs: 1 }

/** The evidence of a URL together with its prior. Never zero, never NaN. */
export function posteriorOf(history: ChangeEvidence, prior: ChangeEvidence): ChangeEvidence {
  const changes = finite(history.changes, 0, MAX_CHANGES)
  const weight = CHANGES_OUTWEIGHING_PRIOR / (CHANGES_OUTWEIGHING_PRIOR + changes)
  const observedMs = finite(history.observedMs, 0, MAX_OBSERVED_MS)
  return {
    changes: changes + weight * finite(prior.changes, MIN_PRIOR.changes, MAX_CHANGES),
    observedMs: observedMs + weight * finite(prior.observedMs, MIN_PRIOR.observedMs, MAX_OBSERVED_MS),
  }
}

/** How far a posterior rests on observations of the URL itself, 0 to 1. The rest is its prior, which may be far off. */
export function rateConfidence(history: ChangeEvidence, posterior: ChangeEvidence): number {
  return finite(Math.max(history.changes / posterior.changes, history.observedMs / posterior.observedMs), 0, 1)
}

/** Expected changes per millisecond. */
export function changeRate({ changes, observedMs }: ChangeEvidence): number {
  return changes / observedMs
}

/** Probability that a page has not changed after this time. */
export function unchangedProbability({ changes, observedMs }: ChangeEvidence, elapsedMs: number): number {
  return Math.exp(-changes * Math.log1p(elapsedMs / observedMs))
}

/** The history of a URL after another observation of it. */
export function recordObservation(
  history: ChangeEvidence,
  observation: Observation,
  prior: ChangeEvidence,
): ChangeEvidence {
  const elapsedMs = finite(observation.elapsedMs, 0, MAX_OBSERVED_MS)
  const posterior = posteriorOf(history, prior)
  const gain = observation.isChanged
    ? gainOfChange(posterior, elapsedMs, observation.announcement)
    : { changes: 0, observedMs: elapsedMs }
  const keep = rememberedShare(posterior, elapsedMs)
  return {
    changes: finite(history.changes, 0, MAX_CHANGES) * keep + gain.changes,
    observedMs: finite(history.observedMs, 0, MAX_OBSERVED_MS) * keep + gain.observedMs,
  }
}

/** An observation at which little could happen makes little forgotten. */
function rememberedShare(posterior: ChangeEvidence, elapsedMs: number): number {
  return 1 - Math.min(1, changeRate(posterior) * elapsedMs) / REMEMBERED_CHANGES
}

/**
 * An announced change counts once, at its time. A change found by chance says only that at least one change happened:
 * the distribution of the rate is then no gamma distribution, and is replaced by a gamma distribution with the same
 * mean and variance.
 */
function gainOfChange(posterior: ChangeEvidence, elapsedMs: number, announcement: Announcement | null): ChangeEvidence {
  const found = gainOfFoundChange(posterior, elapsedMs)
  if (announcement === null) return found
  const probability = finite(announcement.probability, 0, 1)
  return {
    changes: probability + (1 - probability) * found.changes,
    observedMs: probability * finite(announcement.afterMs, 0, elapsedMs) + (1 - probability) * found.observedMs,
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
