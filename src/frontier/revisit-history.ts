// Data that a recrawled crawl keeps about a URL between visits. The estimates are in recrawl/.

import type { TerminalState } from '../lib/states.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import type { SignalKind } from '../ports/visits.ts'
import { extendedExpiry, versionExpiresAt } from './page-versions.ts'
import {
  type Announcement,
  type ChangeEvidence,
  NO_EVIDENCE,
  posteriorOf,
  recordObservation,
} from './recrawl/change-rate.ts'
import { strongestSignal } from './recrawl/due-time.ts'
import { announcementOf, NO_SIGNALS, type SignalAccuracies, type UrlSignals } from './recrawl/signals.ts'

export interface RevisitHistory extends ChangeEvidence {
  /** The last outcome. A URL that is queued for a revisit returns to it if the crawl is closed. */
  state: TerminalState
  reason: string | null
  /** Time of the last observation: a visit that shows what the URL leads to, unlike a failed one. */
  visitedAt: number
  changedAt: number
  /** Observations. */
  visits: number
  /** The last `observedHash` (see ports/revisits.ts); null if the page was gone. */
  observedHash: string | null
  etag: string | null
  lastModified: string | null
  /** Time between the last visit and the next. */
  intervalMs: number
  /** When the archived version expires. Null if it never expires, or nothing is archived. */
  expiresAt: number | null
  /** Importance from depth and priority; 1 is average (recrawl/importance.ts). */
  importance: number
  /** Null if unknown. Saved by indexers, separately from the other fields. */
  linkRank: number | null
  /** See recrawl/rate-groups.ts; empty if not known yet. */
  rateGroup: string
  signals: UrlSignals
}

/** The end of a visit. */
export interface EndedVisit {
  state: TerminalState
  reason: string | null
  observedHash: string | null
  etag: string | null
  lastModified: string | null
  /** The server said so, or the same bytes came again. */
  isUnchanged: boolean
  /** The server said so (304), without the content. */
  isNotModified: boolean
  /** The content is archived. */
  isArchived: boolean
  /** A sitemap says when the URL changed last. */
  isInSitemap: boolean
  importance: number
  rateGroup: string
}

/** Data that an observation is evaluated with, besides the URL. */
export interface ObservationContext {
  settings: Pick<CrawlSettings, 'keepDays'>
  now: number
  prior: ChangeEvidence
  /** Accuracies of the signals of the host. */
  signals: SignalAccuracies
}

const GONE_REASON = 'http_410'

type Outcome = Pick<EndedVisit, 'state' | 'reason'>

export function isGone({ state, reason }: Outcome): boolean {
  return state === 'not_found' || reason === GONE_REASON
}

/** Whether the visit shows what the URL leads to. */
export function isObservation(outcome: Outcome): boolean {
  return outcome.state === 'visited' || outcome.state === 'redirected' || isGone(outcome)
}

/** Adds a visit to the history of its URL; null if it has none yet. */
export function addVisit(known: RevisitHistory | null, end: EndedVisit, context: ObservationContext): RevisitHistory {
  const { now, prior } = context
  const before = known ?? firstHistory(end, now)
  const { state, reason, importance } = end
  if (!isObservation(end)) return { ...before, state, reason, importance }
  const observed = {
    ...(end.isUnchanged ? repeatedFacts(before, end) : newFacts(end)),
    state,
    reason,
    importance,
    visits: before.visits + 1,
    visitedAt: now,
    expiresAt: expiryAfter(before, end, context),
    signals: silentSignals(before.signals, end),
  }
  if (before.visits === 0) return { ...before, ...observed }
  const isChanged = observed.observedHash !== before.observedHash
  const observation = { elapsedMs: now - before.visitedAt, isChanged, announcement: announcementTo(before, context) }
  const evidence = recordObservation(before, observation, prior)
  return { ...before, ...evidence, ...observed, changedAt: isChanged ? now : before.changedAt }
}

function firstHistory({ state, reason, etag, lastModified, importance, rateGroup }: EndedVisit, now: number) {
  const outcome = { state, reason, etag, lastModified, importance, rateGroup }
  const none = { observedHash: null, visits: 0, intervalMs: 0, expiresAt: null, linkRank: null, signals: NO_SIGNALS }
  return { ...NO_EVIDENCE, ...outcome, ...none, visitedAt: now, changedAt: now }
}

function newFacts({ observedHash, etag, lastModified, rateGroup }: EndedVisit) {
  return { observedHash, etag, lastModified, rateGroup }
}

/** A response without the content may omit headers. */
function repeatedFacts(before: RevisitHistory, end: EndedVisit) {
  return {
    observedHash: before.observedHash,
    etag: end.etag ?? before.etag,
    lastModified: end.lastModified ?? before.lastModified,
    rateGroup: before.rateGroup === '' ? end.rateGroup : before.rateGroup,
  }
}

function expiryAfter(before: RevisitHistory, end: EndedVisit, { settings, now }: ObservationContext): number | null {
  if (end.isArchived) return versionExpiresAt(settings, now)
  // The version of a page that is gone, or redirects, is not extended.
  if (end.state !== 'visited') return before.expiresAt
  return end.isUnchanged ? extendedExpiry(settings, before.expiresAt, now) : null
}

/** Feeds list only what is new, so it says nothing if they do not list a page. */
function silentSignals({ sitemap }: UrlSignals, { isInSitemap }: EndedVisit): UrlSignals {
  return { sitemap: sitemap === null && !isInSitemap ? null : 0, feed: null }
}

/** The signal that may have caused the visit, if it is trusted. */
function announcementTo(before: RevisitHistory, { now, prior, signals }: ObservationContext): Announcement | null {
  const strongest = strongestSignal(before.signals, signals)
  if (strongest === null || strongest.signalledAt === null) return null
  const posterior = posteriorOf(before, prior)
  const times = { elapsedMs: now - before.visitedAt, afterMs: strongest.signalledAt - before.visitedAt }
  return announcementOf(strongest.accuracy, { posterior, ...times })
}

/** The history after a sitemap or feed has listed the URL at `now`. The first signal counts. */
export function addSignal(
  history: RevisitHistory,
  kind: SignalKind,
  { isChange, now }: { isChange: boolean; now: number },
): RevisitHistory {
  const before = history.signals[kind]
  const silent = kind === 'sitemap' ? 0 : null
  const at = isChange && (before === null || before === 0) ? now : (before ?? silent)
  return at === before ? history : { ...history, signals: { ...history.signals, [kind]: at } }
}
