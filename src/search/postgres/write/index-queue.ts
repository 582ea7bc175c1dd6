// The queue of pages to index. An indexer locks the rows it claims until its transaction ends: others skip them, and
// they are released if the process dies.

import { type Queryable, withoutTimeout } from '../../../store/postgres/query.ts'
import type { StoreClock } from '../../../store/postgres/store-clock.ts'

export interface QueuedPage {
  id: number
  host: number
  urlHash: string
}

const TAKE = {
  name: 'index_take',
  text: `select page, host, url_hash::text as url_hash from index_queue where due_at <= now_ms($2)
    order by due_at, page, host limit $1 for update skip locked`,
}
/** The worker that archived the page may be back by then; otherwise the delay doubles, up to about an hour. */
const DEFER_MS = 30_000
const MAX_DOUBLINGS = 7
const PUT_OFF = {
  name: 'index_put_off',
  text: `update index_queue q set tries = q.tries + 1,
      due_at = now_ms($3) + ${DEFER_MS} * (1 << least(q.tries, ${MAX_DOUBLINGS}))
    from unnest($1::bigint[], $2::int[]) as d (page, host) where q.page = d.page and q.host = d.host`,
}
const DONE = {
  name: 'index_done',
  text: `delete from index_queue q using unnest($1::bigint[], $2::int[]) as d (page, host)
    where q.page = d.page and q.host = d.host`,
}
/** An earlier version may have been skipped because of a version that is now deleted. */
const REQUEUE = {
  name: 'index_look_again',
  text: `insert into index_queue (page, host, url_hash, due_at)
    select distinct on (url_hash) id, host, url_hash, $2::bigint from pages where url_hash = any($1::bigint[])
    order by url_hash, version desc
    on conflict (page, host) do nothing`,
}
const ALL = {
  text: `insert into index_queue (page, host, url_hash) select id, host, url_hash from pages
    on conflict (page, host) do nothing`,
}

/** Exact up to this count; above it the server's estimate is used. */
const MAX_COUNTED = 100_000
const LAG = {
  name: 'index_lag',
  text: `select w.waiting, now_ms($1) - f.visited_at as lag_ms, pg_stat_get_live_tuples('index_queue'::regclass) as about
    from (select count(*) as waiting from (select 1 from index_queue where due_at = 0 limit ${MAX_COUNTED}) as counted) as w
      left join lateral (select p.visited_at from index_queue q join pages p on p.id = q.page and p.host = q.host
        where q.due_at = 0 order by q.due_at, q.page, q.host limit 1) as f on true`,
}

export async function claimQueued(tx: Queryable, limit: number, storeClock: StoreClock): Promise<QueuedPage[]> {
  const { rows } = await tx.query({ ...TAKE, values: [limit, storeClock.virtualNow] })
  return rows.map((row) => ({ id: Number(row['page']), host: Number(row['host']), urlHash: String(row['url_hash']) }))
}

export async function deleteQueued(tx: Queryable, waiting: QueuedPage[]): Promise<void> {
  await tx.query({ ...DONE, values: [waiting.map(({ id }) => id), waiting.map(({ host }) => host)] })
}

export async function deferQueued(tx: Queryable, waiting: QueuedPage[], storeClock: StoreClock): Promise<void> {
  if (waiting.length === 0) return
  await tx.query({
    ...PUT_OFF,
    values: [waiting.map(({ id }) => id), waiting.map(({ host }) => host), storeClock.virtualNow],
  })
}

/** After pages that were never claimed, whose time is 0. */
const AFTER_OTHERS = 1

export async function requeueUrls(
  tx: Queryable,
  urlHashes: string[],
  when: 'soon' | 'when idle' = 'soon',
): Promise<void> {
  if (urlHashes.length > 0) await tx.query({ ...REQUEUE, values: [urlHashes, when === 'soon' ? 0 : AFTER_OTHERS] })
}

export async function enqueueAll(tx: Queryable): Promise<void> {
  await withoutTimeout(tx, ALL)
}

export async function readLag(db: Queryable, storeClock: StoreClock): Promise<{ waiting: number; lagMs: number }> {
  const [row] = (await db.query({ ...LAG, values: [storeClock.virtualNow] })).rows
  const counted = Number(row?.['waiting'])
  const waiting = counted < MAX_COUNTED ? counted : Math.max(counted, Number(row?.['about']))
  return { waiting, lagMs: Math.max(0, Number(row?.['lag_ms'] ?? 0)) }
}
