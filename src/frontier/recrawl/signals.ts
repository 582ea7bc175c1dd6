// Signals announce changes: a `lastmod` of a sitemap or an entry of a feed newer than our last look. How far a signal is
// believed depends on what looks have shown for its host. Three numbers per host and kind of signal.

import type { ChangeEvidence } from './change-rate.ts'
import { unchangedProbability } from './change-rate.ts'

export interface SignalRecord {
  /** Signals that were true. Fractions, since a change found after a signal may have happened without it. */
  right: number
  /** Signals without a change. */
  wrong: number
  /** Changes without a signal, of URLs for which the host gives signals. */
  missed: number
}

export const NEW_SIGNAL: SignalRecord = { right: 0, wrong: 0, missed: 0 }

/** A signal is taken for wrong as often as right until it has proved itself, and its silence for meaningless. */
const PRIOR = { right: 1, wrong: 1, missed: 3 }
/** Looks remembered per host, so that trust can be lost and regained. */
const REMEMBERED = 300
const MAX_PRECISION = 0.98
const MAX_RECALL = 0.9

/** Probability that a signal is true, beyond what is expected without it. */
export function signalPrecision({ right, wrong }: SignalRecord): number {
  return Math.min(MAX_PRECISION, (right + PRIOR.right) / (right + wrong + PRIOR.right + PRIOR.wrong))
}

/** Share of the changes that are announced. */
export function signalRecall({ right, missed }: SignalRecord): number {
  return Math.min(MAX_RECALL, right / (right + missed + PRIOR.missed))
}

/** Probability that the signal explains a change found after it, rather than chance. */
export function explainedBySignal(record: SignalRecord, belief: ChangeEvidence, elapsedMs: number): number {
  const precision = signalPrecision(record)
  return precision / (1 - (1 - precision) * unchangedProbability(belief, elapsedMs))
}

/** The record after a look at a URL for which the host gives signals. `announced` as in `Look`, 0 without a signal. */
export function recordSignal(
  record: SignalRecord,
  { hasSignal, isChanged, announced }: { hasSignal: boolean; isChanged: boolean; announced: number },
): SignalRecord {
  if (!hasSignal && !isChanged) return record
  const keep = 1 - 1 / REMEMBERED
  const right = hasSignal && isChanged ? announced : 0
  return {
    right: record.right * keep + right,
    wrong: record.wrong * keep + (hasSignal ? 1 - right : 0),
    missed: record.missed * keep + (hasSignal ? 0 : 1),
  }
}
