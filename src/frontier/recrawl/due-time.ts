// Decides when a URL is visited next: after each observation, and again when the URL is due, since the threshold may
// have risen.

import { SIGNAL_KINDS } from '../../ports/visits.ts'
import { type ChangeEvidence, posteriorOf, unchangedProbability } from './change-rate.ts'
import { timeUntilWorth } from './crawl-value.ts'
import {
  type SignalAccuracies,
  type SignalAccuracy,
  signalPrecision,
  signalRecall,
  type UrlSignals,
} from './signals.ts'

/** `--recrawl-min` and `--recrawl-max`. */
export interface RevisitBounds {
  minMs: number
  maxMs: number
}

/** The signals of a host about a URL. Null where the host gives none. */
export interface UrlSignal {
  accuracy: SignalAccuracy
  /** Time of the first signal after the last observation; null if there was none. */
  signalledAt: number | null
}

export interface RevisitCandidate {
  visitedAt: number
  history: ChangeEvidence
  prior: ChangeEvidence
  /** 1 is average. */
  importance: number
  signal: UrlSignal | null
}

/**
 * Pages that are not worth a visit before the maximum are due a little before it, so that they are not late if the budget
 * is used up at the time, and spread over this part of it, so that pages crawled together do not come up together.
 */
const LATEST = 0.98
const SPREAD = 0.2
/** Spread of the due times after first visits, since a whole crawl may have been visited within an hour. */
const FIRST_SPREAD = 0.78

/**
 * Margin in standard deviations of the logarithm of the rate (`withLowerRate`). 0 reaches 96% of the optimum's gain,
 * 0.5 98% (2026-11).
 */
const RATE_MARGIN = 0.5

/** Time of the next visit under this threshold, within the bounds. */
export function dueTime(candidate: RevisitCandidate, threshold: number, { minMs, maxMs }: RevisitBounds): number {
  const { visitedAt, history, signal } = candidate
  const posterior = posteriorOf(history, candidate.prior)
  const importance = candidate.importance > 0 ? Math.min(candidate.importance, 1e9) : 1e-9
  const latestMs = maxMs * (LATEST - (history.observedMs > 0 ? SPREAD : FIRST_SPREAD) * fractionOf(visitedAt))
  const options = { importance, threshold, maxMs }
  const worthMs = Math.min(timeUntilWorth(posterior, options), timeUntilWorth(withLowerRate(posterior), options))
  return visitedAt + clamp(withSignal(worthMs, { posterior, visitedAt, signal }), minMs, latestMs)
}

/**
 * The time after which a visit is worth it, given the signals about the URL. While signals are silent, less happens: time
 * passes more slowly. A signal adds the time after which a change would be as likely as the signal makes it.
 */
export function withSignal(
  worthMs: number,
  { posterior, visitedAt, signal }: { posterior: ChangeEvidence; visitedAt: number; signal: UrlSignal | null },
): number {
  if (signal === null) return worthMs
  const missedShare = 1 - signalRecall(signal.accuracy)
  if (signal.signalledAt === null) return worthMs / missedShare
  const signalledMs = Math.max(0, signal.signalledAt - visitedAt)
  const jumpMs = timeWorthOfSignal(posterior, signalPrecision(signal.accuracy), signalledMs * missedShare)
  return Math.max(signalledMs, (worthMs - jumpMs) / missedShare)
}

/** The most trusted signal about a URL; null if its host gives none. */
export function strongestSignal(signals: UrlSignals, accuracies: SignalAccuracies): UrlSignal | null {
  let strongest: UrlSignal | null = null
  let most = -1
  for (const kind of SIGNAL_KINDS) {
    const at = signals[kind]
    if (at === null) continue
    const accuracy = accuracies[kind]
    // A signal that is believed says more than silence.
    const weight = at > 0 && signalPrecision(accuracy) > 0 ? 1 + signalPrecision(accuracy) : signalRecall(accuracy)
    if (weight <= most) continue
    most = weight
    strongest = { accuracy, signalledAt: at > 0 ? at : null }
  }
  return strongest
}

/** A URL that comes up is visited even if by the current threshold this part of its interval is left. */
const TOLERANCE = 0.1

/**
 * Whether a due URL waits until `dueAt`, its due time by the current threshold. The threshold always moves a little:
 * without tolerance, URLs would be postponed six times as often (2026-11).
 */
export function isPostponed({ visitedAt, dueAt, now }: { visitedAt: number; dueAt: number; now: number }): boolean {
  return dueAt - now > TOLERANCE * (dueAt - visitedAt)
}

/**
 * The rate may be lower than it seems. A page that seems to change too often to be worth a visit gets no visits that could
 * show this, so it is given up only if it is not worth a visit at a lower rate either.
 */
function withLowerRate({ changes, observedMs }: ChangeEvidence): ChangeEvidence {
  return { changes, observedMs: observedMs * Math.exp(RATE_MARGIN / Math.sqrt(changes)) }
}

/** A number in [0, 1) that differs for neighbouring times. */
function fractionOf(time: number): number {
  return (time * 0.6180339887) % 1
}

/** Time that makes a change as likely as a signal of this precision, `elapsedMs` after the last observation. */
function timeWorthOfSignal(posterior: ChangeEvidence, precision: number, elapsedMs: number): number {
  const unchanged = (1 - precision) * unchangedProbability(posterior, elapsedMs)
  return posterior.observedMs * Math.expm1(-Math.log(unchanged) / posterior.changes) - elapsedMs
}

/** A page that is gone is visited at intervals that double. */
export function dueTimeOfGonePage(
  { visitedAt, lastIntervalMs }: { visitedAt: number; lastIntervalMs: number },
  { minMs, maxMs }: RevisitBounds,
): number {
  return visitedAt + clamp(lastIntervalMs * 2, minMs, maxMs)
}

function clamp(value: number, min: number, max: number): number {
  return value > min ? Math.min(value, max) : min
}
