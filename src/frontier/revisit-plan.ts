// When a recrawled crawl visits a URL again, and how many visits its budget allows. The estimates are in recrawl/.

import { scheduledTimes } from '../config/scheduled-times.ts'
import type { RecrawlSettings } from '../ports/revisits.ts'
import { SIGNAL_KINDS } from '../ports/visits.ts'
import { type RevisitBudget, refillBudget, startBudget, visitsAllowed } from './recrawl/budget.ts'
import { type ChangeEvidence, posteriorOf, unchangedProbability } from './recrawl/change-rate.ts'
import { dueTime, dueTimeOfGonePage, strongestSignal, withSignal } from './recrawl/due-time.ts'
import { withLinkRank } from './recrawl/importance.ts'
import { DEFAULT_PRIOR } from './recrawl/priors.ts'
import { isSourceGroup } from './recrawl/rate-groups.ts'
import { type SignalAccuracies, signalPrecision } from './recrawl/signals.ts'
import { isGone, isObservation, type RevisitHistory } from './revisit-history.ts'

const DAY_MS = 86_400_000
const UNCHANGED_AFTER_A_DAY = unchangedProbability(DEFAULT_PRIOR, DAY_MS)

/** Inputs of a plan, besides the URL. */
export interface PlanContext {
  /** Visits that are worth less exceed the budget; null without one. */
  threshold: number | null
  /** The time that a visit to every URL takes with the budget; null without one. */
  roundMs: number | null
  /** Prior from the host and the groups of the URL. */
  prior: ChangeEvidence
  /** Accuracies of the signals of the host. */
  signals: SignalAccuracies
}

/**
 * Sitemaps and feeds are visited at most this many times as often as an average page, so that they do not use up the
 * budget. Untrusted ones cost visits and yield none.
 */
const SOURCE_VISITS = { trusted: 16, untrusted: 4 }

/** When to visit the URL next, if it was visited last at `from`. */
export function planRevisit(
  history: RevisitHistory,
  settings: RecrawlSettings,
  context: PlanContext,
  from: number,
): number {
  const dueAt = planBeforeSchedule(history, settings, context, from)
  const times = scheduledTimes(settings)
  return times === null ? dueAt : times.nextAfter(Math.max(from, dueAt - 1))
}

function planBeforeSchedule(
  history: RevisitHistory,
  settings: RecrawlSettings,
  { threshold, roundMs, prior, signals }: PlanContext,
  from: number,
): number {
  const { recrawl, recrawlMinMs, recrawlMaxMs } = settings
  const minMs = typeof recrawl === 'number' ? recrawl : recrawlMinMs
  const bounds = { minMs, maxMs: Math.max(minMs, recrawlMaxMs) }
  const hasNeverAnswered = history.visits === 0 && typeof recrawl !== 'number'
  if (isGone(history) || history.state === 'excluded' || hasNeverAnswered) {
    return dueTimeOfGonePage({ visitedAt: from, lastIntervalMs: Math.max(minMs, history.intervalMs) }, bounds)
  }
  if (typeof recrawl === 'number') return from + recrawl
  if (recrawl === 'off') return from
  if (!isObservation(history)) return from + Math.min(Math.max(minMs, history.intervalMs), bounds.maxMs)
  const posterior = posteriorOf(history, prior)
  const isSource = isSourceGroup(history.rateGroup)
  if (threshold !== null && !isSource) {
    const signal = strongestSignal(history.signals, signals)
    const importance = withLinkRank(history.importance, history.linkRank)
    const candidate = { visitedAt: from, history, prior, importance, signal }
    return Math.ceil(dueTime(candidate, threshold, bounds))
  }
  // A sitemap or a feed that always changes is not given up: it tells which other pages to visit.
  const leastMs = isSource ? Math.max(minMs, (roundMs ?? 0) / sourceVisits(signals)) : minMs
  const signal = strongestSignal(history.signals, signals)
  const likelyMs = withSignal(timeUntilLikelyChanged(posterior), { posterior, visitedAt: from, signal })
  return Math.ceil(from + Math.min(Math.max(leastMs, likelyMs), bounds.maxMs))
}

function sourceVisits(signals: SignalAccuracies): number {
  const isTrusted = SIGNAL_KINDS.some((kind) => signalPrecision(signals[kind]) > 0)
  return isTrusted ? SOURCE_VISITS.trusted : SOURCE_VISITS.untrusted
}

/**
 * Without a budget, a page is visited once the probability that it has changed equals the probability that an unknown
 * page changes in a day. A threshold would give up pages that change faster than they can be visited, which only makes
 * sense if visits are scarce.
 */
function timeUntilLikelyChanged({ changes, observedMs }: ChangeEvidence): number {
  return observedMs * Math.expm1(-Math.log(UNCHANGED_AFTER_A_DAY) / changes)
}

/** Whether the threshold moves, so that the time of a visit is decided again when it is due. */
export function hasMovingThreshold({ recrawl, recrawlBudget }: RecrawlSettings): boolean {
  return recrawl === 'adaptive' && recrawlBudget !== null
}

/** The budget as of now; null if there is no limit. `urls` may be visited again. */
export function currentBudget(
  { recrawlBudget: perDay }: RecrawlSettings,
  budget: RevisitBudget | null,
  urls: number,
  now: number,
): RevisitBudget | null {
  if (perDay === null) return null
  const limits = { perDay, urls }
  return budget === null ? startBudget(limits, DEFAULT_PRIOR, now) : refillBudget(budget, limits, now)
}

/** How many URLs may be requeued now, at most `limit`. */
export function revisitAllowance(budget: RevisitBudget | null, limit: number): number {
  return budget === null ? limit : Math.min(limit, visitsAllowed(budget))
}

/** Retries and revisits in a claim of this size while the host has URLs that were never visited, which must not starve. */
export function maxDelayedPerClaim(count: number): number {
  return Math.max(1, Math.floor(count / 2))
}
