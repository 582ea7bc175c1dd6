// What a crawl with --recrawl remembers of a URL between visits, and when it visits the URL again. The estimates are in
// recrawl/.

import { scheduledTimes } from '../config/scheduled-times.ts'
import type { TerminalState } from '../lib/states.ts'
import type { RecrawlSettings } from '../ports/revisits.ts'
import { type RevisitBudget, refillBudget, startBudget, visitsAllowed } from './recrawl/budget.ts'
import { beliefOf, type ChangeEvidence, NO_EVIDENCE, recordLook, unchangedProbability } from './recrawl/change-rate.ts'
import { dueTime, dueTimeOfGonePage } from './recrawl/due-time.ts'
import { DEFAULT_PRIOR } from './recrawl/priors.ts'

export interface RevisitHistory extends ChangeEvidence {
  /** The last outcome. A URL that is queued for a revisit returns to it if the crawl is closed. */
  state: TerminalState
  reason: string | null
  /** The last look: a visit that shows what the URL leads to, unlike one that fails. */
  visitedAt: number
  changedAt: number
  /** Looks. */
  visits: number
  /** What was seen (`seenHash` of ports/revisits.ts). Null if the page was gone. */
  seenHash: string | null
  etag: string | null
  lastModified: string | null
  /** Between the last visit and the next. */
  intervalMs: number
}

/** The end of a visit. */
export interface VisitEnd {
  state: TerminalState
  reason: string | null
  seenHash: string | null
  etag: string | null
  lastModified: string | null
  /** The server said so, or the same bytes came again. */
  isUnchanged: boolean
  /** The server said so (304), without the content. */
  isNotModified: boolean
}

const DAY_MS = 86_400_000
const UNCHANGED_AFTER_A_DAY = unchangedProbability(DEFAULT_PRIOR, DAY_MS)
const GONE_REASON = 'http_410'

type Outcome = Pick<VisitEnd, 'state' | 'reason'>

function isGone({ state, reason }: Outcome): boolean {
  return state === 'not_found' || reason === GONE_REASON
}

/** Whether the visit shows what the URL leads to. */
export function isLook(outcome: Outcome): boolean {
  return outcome.state === 'visited' || outcome.state === 'redirected' || isGone(outcome)
}

/** Adds a visit to the history of its URL; null if it has none yet. */
export function addVisit(
  known: RevisitHistory | null,
  end: VisitEnd,
  { now, prior = DEFAULT_PRIOR }: { now: number; prior?: ChangeEvidence },
): RevisitHistory {
  const { state, reason, etag, lastModified } = end
  const before: RevisitHistory = known ?? {
    ...NO_EVIDENCE,
    state,
    reason,
    etag,
    lastModified,
    seenHash: null,
    visitedAt: now,
    changedAt: now,
    visits: 0,
    intervalMs: 0,
  }
  if (!isLook(end)) return { ...before, state, reason }
  const seen = end.isUnchanged
    ? {
        seenHash: before.seenHash,
        etag: end.etag ?? before.etag,
        lastModified: end.lastModified ?? before.lastModified,
      }
    : { seenHash: end.seenHash, etag: end.etag, lastModified: end.lastModified }
  const look = { state, reason, ...seen, visits: before.visits + 1, visitedAt: now }
  if (before.visits === 0) return { ...before, ...look }
  const isChanged = seen.seenHash !== before.seenHash
  const evidence = recordLook(before, { elapsedMs: now - before.visitedAt, isChanged, announcement: null }, prior)
  return { ...before, ...evidence, ...look, changedAt: isChanged ? now : before.changedAt }
}

/** What a plan depends on besides the URL. */
export interface PlanContext {
  /** Of the budget; null without one. */
  threshold: number | null
  /** Of the host. */
  prior: ChangeEvidence
}

/** When to visit the URL next, if it was visited last at `from`. */
export function planRevisit(
  history: RevisitHistory,
  settings: RecrawlSettings,
  context: PlanContext,
  from: number,
): number {
  const dueAt = planUnscheduled(history, settings, context, from)
  const times = scheduledTimes(settings)
  return times === null ? dueAt : times.nextAfter(Math.max(from, dueAt - 1))
}

function planUnscheduled(
  history: RevisitHistory,
  settings: RecrawlSettings,
  { threshold, prior }: PlanContext,
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
  if (!isLook(history)) return from + Math.min(Math.max(minMs, history.intervalMs), bounds.maxMs)
  if (threshold === null) {
    const likelyMs = timeUntilLikelyChanged(beliefOf(history, prior))
    return Math.ceil(from + Math.min(Math.max(minMs, likelyMs), bounds.maxMs))
  }
  const candidate = { visitedAt: from, history, prior, importance: 1, signal: null }
  return Math.ceil(dueTime(candidate, threshold, bounds))
}

/**
 * Without a budget a page is visited when it has changed with the probability with which an unknown page changes in a day. A
 * threshold would give up pages that change faster than they can be visited, which only makes sense if visits are scarce.
 */
function timeUntilLikelyChanged({ changes, observedMs }: ChangeEvidence): number {
  return observedMs * Math.expm1(-Math.log(UNCHANGED_AFTER_A_DAY) / changes)
}

/** Whether the threshold moves, so that the time of a visit is decided again when it has come. */
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
export function retriesBesideFresh(count: number): number {
  return Math.max(1, Math.floor(count / 2))
}
