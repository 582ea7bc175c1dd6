// Plans visits of URLs that were visited before their crawl had its current --recrawl settings.

import { NEW_HOST } from '../../../../frontier/host-freshness.ts'
import { toUrlKind } from '../../../../frontier/kind-changes.ts'
import { DEFAULT_PRIOR } from '../../../../frontier/recrawl/priors.ts'
import { addVisit, type EndedVisit, type RevisitHistory } from '../../../../frontier/revisit-history.ts'
import { IN_PROGRESS, QUEUED } from '../../../encoding/state-codes.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { knownExpiry, toHistory, toKnownVisit } from '../../revisit-row.ts'
import type { CounterChanges } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { findKnownHosts } from './host-freshness.ts'
import { planRevisits, type UrlToPlan } from './plan-revisits.ts'

/** URLs per transaction. */
const CHUNK = 1000

/** Locks rows in the order of commits. The other columns are read after locking, so that nothing is overwritten. */
const LOCK = {
  name: 'revisits_lock_known',
  text: `select id, host from urls where crawl = $1 and id > $2 and state <> ${QUEUED} order by id limit ${CHUNK} for update`,
}

const KNOWN = {
  name: 'revisits_known',
  text: `with page as materialized (select $1::int as crawl, p.* from unnest($2::bigint[], $3::int[]) as p (id, host))
    select u.id, u.host as url_host, u.url, u.kind, u.depth, u.state as url_state, u.reason as url_reason,
      v.visited_at as seen_at, v.http_status, v.content_hash, v.content_length, v.content_type, v.title, v.canonical, v.noindex,
      v.redirect_to, v.url_id as visit, l.lastmod, l.changefreq, l.priority, r.*
    from page g join urls u on u.crawl = g.crawl and u.id = g.id and u.host = g.host
      left join visits v on v.crawl = u.crawl and v.host = u.host and v.url_id = u.id and v.attempt = u.attempts
        and v.state = u.state
      left join listings l on l.crawl = u.crawl and l.host = u.host and l.url_id = u.id
      left join revisits r on r.crawl = u.crawl and r.host = u.host and r.url_id = u.id
    where u.state <> ${QUEUED} order by u.id`,
}

/**
 * Returns up to which id visits are planned now; null if all are. A URL in flight may be reported by a worker that does
 * not know the settings yet, so it is planned too.
 */
export async function planKnownUrls(
  tx: Queryable,
  crawl: CachedCrawl,
  { after, now, policies }: { after: number; now: number; policies: PolicyCache },
): Promise<{ plannedTo: number | null; changes: CounterChanges }> {
  const { rows: locked } = await tx.query({ ...LOCK, values: [crawl.id, after] })
  const lists = [locked.map((row) => row['id']), locked.map((row) => row['host'])]
  const { rows } = await tx.query({ ...KNOWN, values: [crawl.id, ...lists] })
  const urls = rows.flatMap((row) => toUrlToPlan(crawl, row, now))
  const groups = urls.map(({ host, history }) => ({ host, rateGroup: history.rateGroup }))
  const changes = await planRevisits(tx, crawl, urls, {
    hosts: await findKnownHosts(tx, crawl.id, groups),
    policies,
  })
  return { plannedTo: locked.length < CHUNK ? null : Number(locked.at(-1)?.['id']), changes }
}

function toUrlToPlan(crawl: CachedCrawl, row: Row, now: number): UrlToPlan[] {
  const kind = toUrlKind(row['kind'])
  const at = { id: Number(row['id']), host: Number(row['url_host']), kind, isQueued: false }
  if (row['url_id'] !== null) {
    const history = toHistory(row)
    // The URL is in flight for a revisit. Its commit plans the next one; if its lease is lost, it is still queued
    // for this one.
    const isQueued = row['url_state'] === IN_PROGRESS && row['due_at'] === null
    return [{ ...at, history, from: history.visitedAt, row, isQueued }]
  }
  if (row['url_state'] === IN_PROGRESS) {
    const end = { ...toKnownVisit(row), state: 'excluded' as const, reason: 'not_visited' }
    return [{ ...at, history: firstHistory(crawl, end, now), from: now, row: null }]
  }
  if (row['visit'] === null) return []
  const seenAt = Number(row['seen_at'])
  return [{ ...at, history: firstHistory(crawl, toKnownVisit(row), seenAt), from: seenAt, row: null }]
}

function firstHistory({ settings }: CachedCrawl, end: EndedVisit, now: number): RevisitHistory {
  const context = { settings, now, prior: DEFAULT_PRIOR, signals: NEW_HOST.signals }
  return { ...addVisit(null, end, context), expiresAt: knownExpiry(settings, now) }
}
