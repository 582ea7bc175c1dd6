// Signals announce changes: a `lastmod` of a sitemap or an entry of a feed newer than our last observation. How far a signal
// is believed depends on what observations have shown for its host. Three numbers per host and kind of signal.

import type { SignalKind } from '../../ports/visits.ts'
import { type Announcement, type ChangeEvidence, unchangedProbability } from './change-rate.ts'

export interface SignalAccuracy {
  /** Signals that were true. Fractions, since a change found after a signal may have happened without it. */
  right: number
  /** Signals without a change. */
  wrong: number
  /** Changes that no signal explains, of URLs for which the host gives signals. */
  missed: number
}

/** Accuracy of each kind of signal. */
export type SignalAccuracies = Readonly<Record<SignalKind, SignalAccuracy>>

/**
 * The signals about a URL since its last observation: the time of the first one; 0 if none came, although the host gives
 * them for this URL; null if it does not.
 */
export type UrlSignals = Readonly<Record<SignalKind, number | null>>

export const NO_SIGNALS: UrlSignals = { sitemap: null, feed: null }

export const NEW_SIGNAL: SignalAccuracy = { right: 0, wrong: 0, missed: 0 }

/** Signals are distrusted until they have proved themselves, which takes a host that tells the truth a few observations. */
const PRIOR = { right: 0.3, wrong: 1, missed: 3 }
/** Observations remembered per host, so that trust can be lost and regained. */
const REMEMBERED = 300
/** A signal that is true less often is ignored: it is worth less than what errors of this estimate cost. */
const MIN_PRECISION = 0.3
const MAX_PRECISION = 0.98
const MAX_RECALL = 0.9
const DAY_MS = 86_400_000
/** Clocks differ, and a day may be given in another time zone. Times beyond this are mistakes. */
const MAX_FUTURE_MS = DAY_MS

/**
 * Whether a modification time announces a change that we have not seen. A date without a time of day may mean any time
 * of that day, so it counts if the source gave an earlier date before.
 */
export function announcesChange(
  modifiedAt: number,
  { before, visitedAt, now }: { before: number | null; visitedAt: number; now: number },
): boolean {
  if (modifiedAt > now + MAX_FUTURE_MS) return false
  if (modifiedAt > visitedAt) return true
  return modifiedAt % DAY_MS === 0 && before !== null && modifiedAt > before && modifiedAt + DAY_MS > visitedAt
}

/** Probability that a signal is true, beyond what is expected without it; 0 if the signal is not trusted. */
export function signalPrecision(record: SignalAccuracy): number {
  const precision = estimatedPrecision(record)
  return precision < MIN_PRECISION ? 0 : Math.min(MAX_PRECISION, precision)
}

/** Share of the changes that are announced; 0 if the signals are not trusted. */
export function signalRecall(record: SignalAccuracy): number {
  if (signalPrecision(record) === 0) return 0
  return Math.min(MAX_RECALL, record.right / (record.right + record.missed + PRIOR.missed))
}

/** The announcement of a change that was found, `elapsedMs` after the observation before, if the signal is trusted. */
export function announcementOf(
  record: SignalAccuracy,
  { posterior, elapsedMs, afterMs }: { posterior: ChangeEvidence; elapsedMs: number; afterMs: number },
): Announcement | null {
  if (signalPrecision(record) === 0) return null
  return { afterMs, probability: explainedProbability(record, posterior, elapsedMs) }
}

/** What an observation adds to a record, after its sums were multiplied by `keep`. */
export interface SignalGain extends SignalAccuracy {
  keep: number
}

export const NO_SIGNAL_GAIN: SignalGain = { keep: 1, right: 0, wrong: 0, missed: 0 }

/** An observation of a URL for which the host gives signals. */
export interface SignalObservation {
  hasSignal: boolean
  isChanged: boolean
  /** Posterior before the observation. */
  posterior: ChangeEvidence
  /** Confidence in the posterior, 0 to 1 (`rateConfidence`). */
  confidence: number
  elapsedMs: number
}

/**
 * What an observation adds to a record. It counts by the square of the confidence: on a host whose pages change faster
 * than believed, any signal seems right. Without this, such hosts were trusted for months, and misleading signals cost
 * 9% of the optimum's gain (2,000 pages, 2026-11).
 */
export function gainOfSignal(record: SignalAccuracy, observation: SignalObservation): SignalGain {
  const { hasSignal, isChanged, posterior, elapsedMs } = observation
  const counted = observation.confidence ** 2
  if (!hasSignal && !isChanged) return NO_SIGNAL_GAIN
  // A change after a signal says little if the page would have changed anyway.
  const weight = counted * (hasSignal && isChanged ? unchangedProbability(posterior, elapsedMs) : 1)
  const right = hasSignal && isChanged ? weight * explainedProbability(record, posterior, elapsedMs) : 0
  return {
    keep: 1 - counted / REMEMBERED,
    right,
    wrong: hasSignal ? weight - right : 0,
    missed: isChanged ? weight - right : 0,
  }
}

export function addToAccuracy(record: SignalAccuracy, gain: SignalGain): SignalAccuracy {
  return {
    right: record.right * gain.keep + gain.right,
    wrong: record.wrong * gain.keep + gain.wrong,
    missed: record.missed * gain.keep + gain.missed,
  }
}

/** Probability that the signal explains a change found after it, rather than chance. */
function explainedProbability(record: SignalAccuracy, posterior: ChangeEvidence, elapsedMs: number): number {
  const precision = estimatedPrecision(record)
  return precision / (1 - (1 - precision) * unchangedProbability(posterior, elapsedMs))
}

function estimatedPrecision({ right, wrong }: SignalAccuracy): number {
  return (right + PRIOR.right) / (right + wrong + PRIOR.right + PRIOR.wrong)
}
