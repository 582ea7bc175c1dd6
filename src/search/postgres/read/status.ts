// The size and the indexing rate of the index.

import type { IndexStatus } from '../../../ports/search.ts'
import { INDEX_TABLES } from '../../../store/postgres/index-tables.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import type { StoreClock } from '../../../store/postgres/store-clock.ts'
import { readLag } from '../write/index-queue.ts'

/** Pages are counted per interval; the rate covers the last intervals. */
const INTERVAL_MS = 10_000
const INTERVALS = 6

const SIZE = {
  name: 'index_size',
  text: `select sum(pg_total_relation_size(t::regclass)) as bytes from unnest($1::text[]) as t`,
}
const BY_LANG = {
  name: 'index_by_lang',
  text: `select lang, sum(documents) as documents from index_counts group by lang having sum(documents) > 0
    order by sum(documents) desc, lang`,
}
const PACE = {
  name: 'index_pace_read',
  text: `select sum(pages) as pages, now_ms($1) - min(at) as over_ms from index_pace
    where at > now_ms($1) - ${INTERVAL_MS * INTERVALS}`,
}
const NOTE = {
  name: 'index_pace_note',
  text: `with old as (delete from index_pace where slot = $2 and at < now_ms($1) - ${INTERVAL_MS * INTERVALS})
    insert into index_pace as p (slot, at, pages) values ($2, now_ms($1) / ${INTERVAL_MS} * ${INTERVAL_MS}, $3)
    on conflict (slot, at) do update set pages = p.pages + excluded.pages`,
}

export async function readStatus(db: Queryable, storeClock: StoreClock): Promise<IndexStatus> {
  const [size, langs, pace, lag] = await Promise.all([
    db.query({ ...SIZE, values: [INDEX_TABLES] }),
    db.query(BY_LANG),
    db.query({ ...PACE, values: [storeClock.virtualNow] }),
    readLag(db, storeClock),
  ])
  const counts = langs.rows.map((row) => ({ key: String(row['lang']), count: Number(row['documents']) }))
  const overMs = Math.max(INTERVAL_MS, Number(pace.rows[0]?.['over_ms'] ?? 0))
  return {
    documents: counts.reduce((sum, { count }) => sum + count, 0),
    bytes: Number(size.rows[0]?.['bytes']),
    byLang: counts.filter(({ key }) => key !== ''),
    ...lag,
    pagesPerSecond: (Number(pace.rows[0]?.['pages'] ?? 0) * 1000) / overMs,
  }
}

export async function recordPace(
  tx: Queryable,
  storeClock: StoreClock,
  { slot, pages }: { slot: number; pages: number },
): Promise<void> {
  await tx.query({ ...NOTE, values: [storeClock.virtualNow, slot, pages] })
}
