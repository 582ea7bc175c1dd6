// Converts the history of a URL between its row in `revisits` and the rules. The columns are the same in both stores.

import { type HostFreshness, NEW_HOST, sendsValidators } from '../../frontier/host-freshness.ts'
import { toUrlKind } from '../../frontier/kind-changes.ts'
import type { VisitFinding } from '../../frontier/page-changes.ts'
import { isVersionKept } from '../../frontier/page-versions.ts'
import type { RevisitBudget } from '../../frontier/recrawl/budget.ts'
import { importanceOf } from '../../frontier/recrawl/importance.ts'
import type { RateGroup } from '../../frontier/recrawl/priors.ts'
import { rateGroupOf } from '../../frontier/recrawl/rate-groups.ts'
import { type EndedVisit, isObservation, type RevisitHistory } from '../../frontier/revisit-history.ts'
import type { TerminalState } from '../../lib/states.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import type { LastVisit } from '../../ports/leases.ts'
import { observedHash } from '../../ports/revisits.ts'
import { SIGNAL_KINDS, type SitemapListing, type UrlKind, type VisitReport } from '../../ports/visits.ts'
import { PAGE_KINDS_SQL, stateCode, stateFromCode } from '../encoding/state-codes.ts'

type Row = Record<string, unknown>

/** Everything but ids, `due_at` and `link_rank`. */
export const HISTORY_COLUMNS = [
  'state',
  'reason',
  'visited_at',
  'changed_at',
  'visits',
  'changes',
  'observed_ms',
  'interval_ms',
  'seen_hash',
  'etag',
  'last_modified',
  'expires_at',
  'importance',
  'rate_group',
  'sitemap_signal',
  'feed_signal',
] as const

export function toHistory(row: Row): RevisitHistory {
  const seen = row['seen_hash']
  return {
    state: stateFromCode(Number(row['state'])) as TerminalState,
    reason: row['reason'] as string | null,
    visitedAt: Number(row['visited_at']),
    changedAt: Number(row['changed_at']),
    visits: Number(row['visits']),
    changes: Number(row['changes']),
    observedMs: Number(row['observed_ms']),
    intervalMs: Number(row['interval_ms']),
    observedHash: seen instanceof Uint8Array ? Buffer.from(seen).toString('hex') : null,
    etag: row['etag'] as string | null,
    lastModified: row['last_modified'] as string | null,
    expiresAt: numberOrNull(row['expires_at']),
    importance: Number(row['importance']),
    linkRank: numberOrNull(row['link_rank']),
    rateGroup: String(row['rate_group']),
    signals: { sitemap: numberOrNull(row['sitemap_signal']), feed: numberOrNull(row['feed_signal']) },
  }
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}

/** Values in the order of `HISTORY_COLUMNS`. */
export function historyValues(history: RevisitHistory) {
  return [
    stateCode(history.state),
    history.reason,
    history.visitedAt,
    history.changedAt,
    history.visits,
    history.changes,
    history.observedMs,
    history.intervalMs,
    history.observedHash === null ? null : Buffer.from(history.observedHash, 'hex'),
    history.etag,
    history.lastModified,
    history.expiresAt,
    history.importance,
    history.rateGroup,
    history.signals.sitemap,
    history.signals.feed,
  ] as const
}

/** Ledger data of a URL, besides its history. */
export interface RevisitedUrl {
  url: string
  kind: UrlKind
  depth: number
  /** What a sitemap says about the URL. */
  listing: SitemapListing
}

const NO_LISTING: SitemapListing = { lastmod: null, changefreq: null, priority: null }

/** Maps a row with the columns of `listings`; undefined if there is no listing. */
export function toSitemapListing(row: Row | undefined): SitemapListing {
  if (row === undefined) return NO_LISTING
  return {
    lastmod: numberOrNull(row['lastmod']),
    changefreq: (row['changefreq'] ?? null) as string | null,
    priority: numberOrNull(row['priority']),
  }
}

/** Null for a retry, since the visit is not over. */
export function toVisitFinding({ outcome, facts, freshness }: VisitReport): VisitFinding | null {
  if (outcome.state === 'retry') return null
  const { state, reason } = outcome
  return { state, reason, observedHash: observedHash(state, facts), isUnchanged: freshness?.isUnchanged === true }
}

/** Null for a retry, since the visit is not over. */
export function toEndedVisit(
  { outcome, facts, freshness, page, found }: VisitReport,
  url: RevisitedUrl,
): EndedVisit | null {
  if (outcome.state === 'retry') return null
  const { state, reason } = outcome
  const isNotModified = facts?.httpStatus === 304 && freshness?.isUnchanged === true
  const isFeed = found.some(({ listing }) => listing?.source === 'feed')
  const { maxAgeMs, ...validators } = freshness ?? NO_FRESHNESS
  const hints = { contentType: facts?.contentType ?? null, maxAgeMs, isFeed }
  const seen = { observedHash: observedHash(state, facts), ...validators, isNotModified, isArchived: page !== null }
  return { state, reason, ...seen, ...placeOf(url, hints) }
}

/** Maps the row of a URL that was visited before its crawl had --recrawl, joined with the row of its last visit. */
export function toKnownVisit(row: Row): EndedVisit {
  const state = stateFromCode(Number(row['url_state'])) as TerminalState
  const content = row['content_hash']
  const contentType = row['content_type'] as string | null
  const seen = observedHash(state, {
    httpStatus: numberOrNull(row['http_status']),
    contentHash: content instanceof Uint8Array ? Buffer.from(content).toString('hex') : null,
    contentLength: numberOrNull(row['content_length']),
    contentType,
    title: row['title'] as string | null,
    canonical: row['canonical'] as string | null,
    noindex: row['noindex'] === true || row['noindex'] === 1,
    nofollow: false,
    redirectTo: row['redirect_to'] as string | null,
  })
  const { maxAgeMs, ...validators } = NO_FRESHNESS
  const url: RevisitedUrl = {
    url: String(row['url']),
    kind: toUrlKind(row['kind']),
    depth: Number(row['depth']),
    listing: toSitemapListing(row),
  }
  const place = placeOf(url, { contentType, maxAgeMs, isFeed: false })
  const reason = row['url_reason'] as string | null
  return { state, reason, observedHash: seen, ...validators, isNotModified: false, isArchived: false, ...place }
}

function placeOf(
  { url, kind, depth, listing }: RevisitedUrl,
  { contentType, maxAgeMs, isFeed }: { contentType: string | null; maxAgeMs: number | null; isFeed: boolean },
) {
  const { lastmod, changefreq, priority } = listing
  const source = kind === 'sitemap' ? 'sitemap' : isFeed ? 'feed' : null
  return {
    importance: importanceOf({ depth, priority }),
    rateGroup: rateGroupOf(url, { source, contentType, changefreq, maxAgeMs }),
    isInSitemap: lastmod !== null,
  }
}

/** Whether the URL is a page that was visited, according to its history and kind. */
export function isKnownPage(history: Pick<RevisitHistory, 'state'> | null, kind: UrlKind): boolean {
  return history?.state === 'visited' && kind === 'page'
}

/** `isKnownPage` in SQL, for a row `r` of `revisits` and a row `u` of `urls`. */
export const IS_KNOWN_PAGE_SQL = `r.state = ${stateCode('visited')} and u.kind in ${PAGE_KINDS_SQL}`

/** Maps a row of `revisits` for a lease. `attempts` are those of the URL. */
export function toLastVisit(
  row: Row,
  attempts: number,
  { now, host, isDamaged }: { now: number; host: HostFreshness; isDamaged: boolean },
): LastVisit | null {
  const history = toHistory(row)
  // After a retry, the facts of the URL do not belong to its last visit.
  if (!isObservation(history) || Number(row['attempts']) !== attempts) return null
  const { state, reason, observedHash: seen, etag, lastModified, expiresAt } = history
  // The archived content must exist, or a visit that finds nothing new would leave nothing.
  if (state === 'visited' && (isDamaged || !isVersionKept(expiresAt, now))) return null
  const hasValidators = state === 'visited' && (etag !== null || lastModified !== null)
  const isSent = hasValidators && sendsValidators(host, { id: Number(row['url_id']), visits: history.visits })
  return { state, reason, observedHash: seen, validators: isSent ? { etag, lastModified } : null }
}

/** Treated as expired, since it was never compared with the archived content. */
export function knownExpiry({ archive }: Pick<CrawlSettings, 'archive'>, visitedAt: number): number | null {
  return archive === 'none' ? null : visitedAt
}

const NO_FRESHNESS = { etag: null, lastModified: null, isUnchanged: false, maxAgeMs: null }

/** Maps a row of `recrawls`. */
export function toBudget(row: Row): RevisitBudget | null {
  if (row['threshold'] === null || row['tokens'] === null) return null
  return { threshold: Number(row['threshold']), tokens: Number(row['tokens']), updatedAt: Number(row['updated_at']) }
}

/** Maps a row of `revisit_hosts`. */
export function toHostFreshness(row: Row | undefined): HostFreshness {
  if (row === undefined) return NEW_HOST
  const recordOf = (kind: string) => ({
    right: Number(row[`${kind}_right`]),
    wrong: Number(row[`${kind}_wrong`]),
    missed: Number(row[`${kind}_missed`]),
  })
  return {
    tests: Number(row['tests']),
    honest: Number(row['honest']),
    lied: Number(row['lied']),
    rates: toRateGroup(row),
    signals: { sitemap: recordOf('sitemap'), feed: recordOf('feed') },
  }
}

/** Maps a row of `revisit_groups` or `revisit_hosts`. */
export function toRateGroup(row: Row): RateGroup {
  return {
    observations: Number(row['observations']),
    weight: Number(row['weight']),
    logRates: Number(row['log_rates']),
    squaredLogRates: Number(row['squared_log_rates']),
  }
}

/** Columns in the order in which statements use them. */
export const HOST_COUNTS = ['tests', 'honest', 'lied'] as const
export const RATE_COLUMNS = ['observations', 'weight', 'log_rates', 'squared_log_rates'] as const
export const signalColumns = (kind: string) => [`${kind}_right`, `${kind}_wrong`, `${kind}_missed`] as const
export const HOST_COLUMNS = [...HOST_COUNTS, ...RATE_COLUMNS, ...SIGNAL_KINDS.flatMap(signalColumns)]

export function rateValues({ observations, weight, logRates, squaredLogRates }: RateGroup): number[] {
  return [observations, weight, logRates, squaredLogRates]
}

/** Values in the order of `HOST_COLUMNS`, of a host or of an increment. */
export function hostValues({ tests, honest, lied, rates, signals }: HostFreshness): number[] {
  const records = SIGNAL_KINDS.flatMap((kind) => [signals[kind].right, signals[kind].wrong, signals[kind].missed])
  return [tests, honest, lied, ...rateValues(rates), ...records]
}
