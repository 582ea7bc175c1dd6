// When is a URL visited next? Decided after each look, and again when the URL comes up, since the threshold may have risen.

import { beliefOf, type ChangeEvidence, unchangedProbability } from './change-rate.ts'
import { timeUntilWorth } from './crawl-value.ts'
import { type SignalRecord, signalPrecision, signalRecall } from './signals.ts'

/** `--recrawl-min` and `--recrawl-max`. */
export interface RevisitBounds {
  minMs: number
  maxMs: number
}

/** The signals of a host about a URL. Null where the host gives none. */
export interface UrlSignal {
  record: SignalRecord
  /** Time of the first signal after the last look; null if there was none. */
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
/** After the first visit, since a whole crawl may have been visited within an hour. */
const FIRST_SPREAD = 0.78

/** In standard deviations of the logarithm of the rate. 0 reaches 96% of the optimum's gain, 0.5 98% (2026-11). */
const DOUBT = 0.5

/** Time of the next visit under this threshold, within the bounds. */
export function dueTime(candidate: RevisitCandidate, threshold: number, { minMs, maxMs }: RevisitBounds): number {
  const { visitedAt, history, signal } = candidate
  const belief = beliefOf(history, candidate.prior)
  const importance = candidate.importance > 0 ? Math.min(candidate.importance, 1e9) : 1e-9
  const latestMs = maxMs * (LATEST - (history.observedMs > 0 ? SPREAD : FIRST_SPREAD) * fractionOf(visitedAt))
  const options = { importance, threshold, maxMs }
  const worthMs = Math.min(timeUntilWorth(belief, options), timeUntilWorth(withLowerRate(belief), options))
  if (signal === null) return visitedAt + clamp(worthMs, minMs, latestMs)
  // While signals are silent, less happens: time passes more slowly. A signal adds the time after which a change would be
  // as likely as the signal makes it.
  const pace = 1 - signalRecall(signal.record)
  if (signal.signalledAt === null) return visitedAt + clamp(worthMs / pace, minMs, latestMs)
  const signalledMs = Math.max(0, signal.signalledAt - visitedAt)
  const jumpMs = timeWorthOfSignal(belief, signalPrecision(signal.record), signalledMs * pace)
  return visitedAt + clamp(Math.max(signalledMs, (worthMs - jumpMs) / pace), minMs, latestMs)
}

/** A URL that comes up is visited even if by the current threshold this part of its interval is left. */
const TOLERANCE = 0.1

/**
 * Whether a URL that comes up waits until `dueAt`, its due time by the current threshold. The threshold always moves a
 * little: without tolerance, URLs would be postponed six times as often (2026-11).
 */
export function isPostponed({ visitedAt, dueAt, now }: { visitedAt: number; dueAt: number; now: number }): boolean {
  return dueAt - now > TOLERANCE * (dueAt - visitedAt)
}

/**
 * The rate may be lower than it seems. A page that seems to change too often to be worth a visit gets no looks that could
 * show this, so it is given up only if it is not worth a visit at a lower rate either.
 */
function withLowerRate({ changes, observedMs }: ChangeEvidence): ChangeEvidence {
  return { changes, observedMs: observedMs * Math.exp(DOUBT / Math.sqrt(changes)) }
}

/** A number in [0, 1) that differs for neighbouring times. */
function fractionOf(time: number): number {
  return (time * 0.6180339887) % 1
}

/** Time without a look that makes a change as likely as a signal of this precision, `elapsedMs` after the last look. */
function timeWorthOfSignal(belief: ChangeEvidence, precision: number, elapsedMs: number): number {
  const unchanged = (1 - precision) * unchangedProbability(belief, elapsedMs)
  return belief.observedMs * Math.expm1(-Math.log(unchanged) / belief.changes) - elapsedMs
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
