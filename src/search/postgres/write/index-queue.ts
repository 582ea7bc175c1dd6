// The queue of pages to index. An indexer locks the rows it claims until its transaction ends: others skip them, and
// they are released if the process dies.

import type { TakeOptions } from '../../../ports/index-feed.ts'
import { type Queryable, withoutTimeout } from '../../../store/postgres/query.ts'
import type { StoreClock } from '../../../store/postgres/store-clock.ts'

export interface QueuedPage {
  id: number
  host: number
  urlHash: string
  hasUnreadLinks: boolean
}

/** Sorts after pages that were never claimed, whose time is 0. */
const AFTER_OTHERS = 1
/** Identifies the content of the index: truncating a table gives it a new file. */
export const INDEX_ERA_SQL = `pg_relation_filenode('anchors')`
const COLUMNS = `q.page, q.host, q.url_hash::text as url_hash, q.links_era <> ${INDEX_ERA_SQL} as has_unread_links`

const TAKE = {
  name: 'index_take',
  text: `select ${COLUMNS} from index_queue q where due_at <= now_ms($2) and ($3 or due_at <> ${AFTER_OTHERS})
    order by due_at, page, host limit $1 for update skip locked`,
}
const TAKE_VISITED = {
  name: 'index_take_visited',
  text: `select ${COLUMNS} from index_queue q join pages p on p.id = q.page and p.host = q.host
    where q.due_at <= now_ms($2) and ($3 or q.due_at <> ${AFTER_OTHERS}) and p.visited_at <= $4::bigint
    order by q.due_at, q.page, q.host limit $1 for update of q skip locked`,
}
const TAKE_UNREAD_LINKS = {
  name: 'index_take_links',
  text: `select ${COLUMNS} from index_queue q where q.links_era = 0 and q.due_at <= now_ms($2)
    order by q.page, q.host limit $1 for update skip locked`,
}
/** The links of a page that could not be read are read with its document, so that they are not tried in a loop. */
const READ_LINKS = {
  name: 'index_read_links',
  text: `update index_queue q set links_era = case when d.is_read then ${INDEX_ERA_SQL} else -1 end
    from unnest($1::bigint[], $2::int[], $3::boolean[]) as d (page, host, is_read)
    where q.page = d.page and q.host = d.host`,
}
/** The worker that archived the page may be back by then; otherwise the delay doubles, up to about an hour. */
const DEFER_MS = 30_000
const MAX_DOUBLINGS = 7
const POSTPONE = {
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
  text: `insert into index_queue (page, host, url_hash, due_at, links_era)
    select distinct on (url_hash) id, host, url_hash, $2::bigint, ${INDEX_ERA_SQL} from pages where url_hash = any($1::bigint[])
    order by url_hash, version desc
    on conflict (page, host) do nothing`,
}
const ADD_AGAIN = {
  name: 'index_add_again',
  text: `insert into index_queue (page, host, url_hash)
    select page, host, url_hash from unnest($1::bigint[], $2::int[], $3::bigint[]) as d (page, host, url_hash)`,
}
const ALL = {
  text: `insert into index_queue (page, host, url_hash) select id, host, url_hash from pages
    on conflict (page, host) do nothing`,
}
const MARK_ALL_UNREAD = {
  text: `update index_queue q set links_era = 0 from
      (select page, host from index_queue where links_era <> 0 for update skip locked) as d
    where q.page = d.page and q.host = d.host`,
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

export async function claimQueued(
  tx: Queryable,
  limit: number,
  storeClock: StoreClock,
  { visitedUpTo, reindexes = true }: TakeOptions = {},
): Promise<QueuedPage[]> {
  const values = [limit, storeClock.virtualNow, reindexes]
  const statement =
    visitedUpTo === undefined ? { ...TAKE, values } : { ...TAKE_VISITED, values: [...values, visitedUpTo] }
  return (await tx.query(statement)).rows.map(toQueuedPage)
}

export async function claimUnreadLinks(tx: Queryable, limit: number, storeClock: StoreClock): Promise<QueuedPage[]> {
  const { rows } = await tx.query({ ...TAKE_UNREAD_LINKS, values: [limit, storeClock.virtualNow] })
  return rows.map(toQueuedPage)
}

function toQueuedPage(row: Record<string, unknown>): QueuedPage {
  return {
    id: Number(row['page']),
    host: Number(row['host']),
    urlHash: String(row['url_hash']),
    hasUnreadLinks: row['has_unread_links'] === true,
  }
}

export async function recordReadLinks(
  tx: Queryable,
  waiting: QueuedPage[],
  unreadIds: ReadonlySet<number>,
): Promise<void> {
  const isRead = waiting.map(({ id }) => !unreadIds.has(id))
  await tx.query({ ...READ_LINKS, values: [waiting.map(({ id }) => id), waiting.map(({ host }) => host), isRead] })
}

/** Queues pages that were just deleted from the queue, as if they were new. */
export async function addAgain(tx: Queryable, pages: QueuedPage[]): Promise<void> {
  if (pages.length === 0) return
  const values = [pages.map(({ id }) => id), pages.map(({ host }) => host), pages.map(({ urlHash }) => urlHash)]
  await tx.query({ ...ADD_AGAIN, values })
}

export async function deleteQueued(tx: Queryable, waiting: QueuedPage[]): Promise<void> {
  await tx.query({ ...DONE, values: [waiting.map(({ id }) => id), waiting.map(({ host }) => host)] })
}

export async function deferQueued(tx: Queryable, waiting: QueuedPage[], storeClock: StoreClock): Promise<void> {
  if (waiting.length === 0) return
  await tx.query({
    ...POSTPONE,
    values: [waiting.map(({ id }) => id), waiting.map(({ host }) => host), storeClock.virtualNow],
  })
}

export async function requeueUrls(
  tx: Queryable,
  urlHashes: string[],
  when: 'soon' | 'when idle' = 'soon',
): Promise<void> {
  if (urlHashes.length > 0) await tx.query({ ...REQUEUE, values: [urlHashes, when === 'soon' ? 0 : AFTER_OTHERS] })
}

/** Pages of open batches are skipped: their transactions would wait for this one. */
export async function enqueueAll(tx: Queryable): Promise<void> {
  await withoutTimeout(tx, MARK_ALL_UNREAD)
  await withoutTimeout(tx, ALL)
}

export async function readLag(db: Queryable, storeClock: StoreClock): Promise<{ waiting: number; lagMs: number }> {
  const [row] = (await db.query({ ...LAG, values: [storeClock.virtualNow] })).rows
  const counted = Number(row?.['waiting'])
  const waiting = counted < MAX_COUNTED ? counted : Math.max(counted, Number(row?.['about']))
  return { waiting, lagMs: Math.max(0, Number(row?.['lag_ms'] ?? 0)) }
}
