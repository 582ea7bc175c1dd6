// Signals announce changes: a `lastmod` of a sitemap or an entry of a feed newer than our last look. How far a signal is
// believed depends on what looks have shown for its host. Three numbers per host and kind of signal.

import { type Announcement, type ChangeEvidence, unchangedProbability } from './change-rate.ts'

export interface SignalRecord {
  /** Signals that were true. Fractions, since a change found after a signal may have happened without it. */
  right: number
  /** Signals without a change. */
  wrong: number
  /** Changes that no signal explains, of URLs for which the host gives signals. */
  missed: number
}

export const NEW_SIGNAL: SignalRecord = { right: 0, wrong: 0, missed: 0 }

/** Signals are distrusted until they have proved themselves, which takes a host that tells the truth a few looks. */
const PRIOR = { right: 0.3, wrong: 1, missed: 3 }
/** Looks remembered per host, so that trust can be lost and regained. */
const REMEMBERED = 300
/** A signal that is true less often is ignored: what it is worth is less than what errors of this estimate cost. */
const MIN_PRECISION = 0.3
const MAX_PRECISION = 0.98
const MAX_RECALL = 0.9

/** Probability that a signal is true, beyond what is expected without it; 0 if it is not trusted. */
export function signalPrecision(record: SignalRecord): number {
  const precision = estimatedPrecision(record)
  return precision < MIN_PRECISION ? 0 : Math.min(MAX_PRECISION, precision)
}

/** Share of the changes that are announced; 0 if the signals are not trusted. */
export function signalRecall(record: SignalRecord): number {
  if (signalPrecision(record) === 0) return 0
  return Math.min(MAX_RECALL, record.right / (record.right + record.missed + PRIOR.missed))
}

/** The announcement of a change that was found, `elapsedMs` after the look before, if the signal is trusted. */
export function announcementOf(
  record: SignalRecord,
  { belief, elapsedMs, afterMs }: { belief: ChangeEvidence; elapsedMs: number; afterMs: number },
): Announcement | null {
  if (signalPrecision(record) === 0) return null
  return { afterMs, probability: explainedProbability(record, belief, elapsedMs) }
}

/** The record after a look at a URL for which the host gives signals. `belief` is that before the look. */
export function recordSignal(
  record: SignalRecord,
  look: { hasSignal: boolean; isChanged: boolean; belief: ChangeEvidence; elapsedMs: number },
): SignalRecord {
  const { hasSignal, isChanged, belief, elapsedMs } = look
  if (!hasSignal && !isChanged) return record
  const keep = 1 - 1 / REMEMBERED
  // That a page changed after a signal says little if it would have changed anyway.
  const weight = hasSignal && isChanged ? unchangedProbability(belief, elapsedMs) : 1
  const right = hasSignal && isChanged ? weight * explainedProbability(record, belief, elapsedMs) : 0
  return {
    right: record.right * keep + right,
    wrong: record.wrong * keep + (hasSignal ? weight - right : 0),
    missed: record.missed * keep + (isChanged ? weight - right : 0),
  }
}

/** Probability that the signal explains a change found after it, rather than chance. */
function explainedProbability(record: SignalRecord, belief: ChangeEvidence, elapsedMs: number): number {
  const precision = estimatedPrecision(record)
  return precision / (1 - (1 - precision) * unchangedProbability(belief, elapsedMs))
}

function estimatedPrecision({ right, wrong }: SignalRecord): number {
  return (right + PRIOR.right) / (right + wrong + PRIOR.right + PRIOR.wrong)
}
