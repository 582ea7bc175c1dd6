// Plans visits of URLs that were visited before their crawl had its current --recrawl settings.

import { addVisit } from '../../../../frontier/revisit-plan.ts'
import { IN_PROGRESS, QUEUED } from '../../../encoding/state-codes.ts'
import type { PolicyCache } from '../../../policies/postgres.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { toHistory, toKnownEnd } from '../../revisit-row.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { findHostFreshness } from './host-freshness.ts'
import { planRevisits, type UrlToPlan } from './record-revisits.ts'

/** URLs per transaction. */
const CHUNK = 1000

/** In the order of commits. The rest is read after locking, so that nothing is overwritten. */
const LOCK = {
  name: 'revisits_lock_known',
  text: `select id, host from urls where crawl = $1 and id > $2 and state <> ${QUEUED} order by id limit ${CHUNK} for update`,
}

const KNOWN = {
  name: 'revisits_known',
  text: `with page as materialized (select $1::int as crawl, p.* from unnest($2::bigint[], $3::int[]) as p (id, host))
    select u.id, u.host as url_host, u.state as url_state, u.reason as url_reason, v.visited_at as seen_at,
      v.content_hash, v.content_length, v.content_type, v.canonical, v.noindex, v.redirect_to, v.url_id as visit, r.*
    from page g join urls u on u.crawl = g.crawl and u.id = g.id and u.host = g.host
      left join visits v on v.crawl = u.crawl and v.host = u.host and v.url_id = u.id and v.attempt = u.attempts
        and v.state = u.state
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
): Promise<number | null> {
  const { rows: locked } = await tx.query({ ...LOCK, values: [crawl.id, after] })
  const lists = [locked.map((row) => row['id']), locked.map((row) => row['host'])]
  const { rows } = await tx.query({ ...KNOWN, values: [crawl.id, ...lists] })
  const hosts = await findHostFreshness(
    tx,
    crawl.id,
    rows.map((row) => Number(row['url_host'])),
  )
  const urls = rows.flatMap((row) => toUrlToPlan(row, now))
  await planRevisits(tx, crawl, urls, { hosts, policies })
  return locked.length < CHUNK ? null : Number(locked.at(-1)?.['id'])
}

function toUrlToPlan(row: Row, now: number): UrlToPlan[] {
  const at = { id: Number(row['id']), host: Number(row['url_host']) }
  if (row['url_id'] !== null) {
    const history = toHistory(row)
    return [{ ...at, history, from: history.visitedAt }]
  }
  if (row['url_state'] === IN_PROGRESS) {
    const end = { ...toKnownEnd(row), state: 'excluded' as const, reason: 'not_visited' }
    return [{ ...at, history: addVisit(null, end, { now }), from: now }]
  }
  if (row['visit'] === null) return []
  const seenAt = Number(row['seen_at'])
  return [{ ...at, history: addVisit(null, toKnownEnd(row), { now: seenAt }), from: seenAt }]
}
