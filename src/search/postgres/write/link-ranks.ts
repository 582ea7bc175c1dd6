// Link ranks by crawl and URL, and for each URL the rank that searches use. Both are stored also for URLs without a
// document.

import type { Crawl } from '../../../ports/crawls.ts'
import { type LinkRank, MIN_GRAPH_SHARE } from '../../../ports/search.ts'
import { ADVISORY_LOCKS } from '../../../store/postgres/advisory-locks.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { urlKey } from '../url-key.ts'
import { lockUrls } from './counter-slot.ts'
import type { DocumentSink } from './document-sink.ts'

/** Held until the end of the transaction, because the choice depends on the ranks of all crawls. */
const LOCK = { name: 'index_lock_ranks', text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.linkRanks}, 0)` }
const SAVE_CRAWL = {
  name: 'index_save_ranked',
  text: `insert into ranked_crawls (crawl, links, created_at) values ($1, 0, $2)
    on conflict (crawl) do update set created_at = excluded.created_at`,
}
const SAVE = {
  name: 'index_save_ranks',
  text: `insert into document_ranks as r (crawl, url_id, url_key, link_rank, inlinks, host_pages, is_list)
    select $1::text, n.* from unnest($2::bigint[], $3::uuid[], $4::real[], $5::bigint[], $6::bigint[], $7::boolean[])
      as n (url_id, url_key, link_rank, inlinks, host_pages, is_list) order by n.url_id
    on conflict (crawl, url_id) do update set link_rank = excluded.link_rank, inlinks = excluded.inlinks,
        host_pages = excluded.host_pages, is_list = excluded.is_list
      where (r.link_rank, r.inlinks, r.host_pages, r.is_list)
        is distinct from (excluded.link_rank, excluded.inlinks, excluded.host_pages, excluded.is_list)`,
}
/** URLs without any rank left keep theirs. */
const CHOOSE = {
  name: 'index_choose_ranks',
  text: `insert into url_ranks as u (url_key, link_rank, inlinks)
    select distinct on (url_key) url_key, case when is_list then 0 else link_rank end, inlinks
    from (select r.*, c.created_at, max(r.host_pages) over (partition by r.url_key) as most
      from document_ranks r join ranked_crawls c on c.crawl = r.crawl where r.url_key = any($1::uuid[])) as k
    where host_pages >= ${MIN_GRAPH_SHARE} * most order by url_key, created_at desc, crawl desc
    on conflict (url_key) do update set link_rank = excluded.link_rank, inlinks = excluded.inlinks
      where (u.link_rank, u.inlinks) is distinct from (excluded.link_rank, excluded.inlinks)
    returning url_key`,
}
const READ = {
  name: 'index_read_ranks',
  text: `select u.link_rank, u.inlinks
    from unnest($1::uuid[]) with ordinality as w (url_key, place) left join url_ranks u on u.url_key = w.url_key
    order by w.place`,
}
const VISITED_WHEN_RANKED = {
  name: 'index_visited_when_ranked',
  text: 'select links from ranked_crawls where crawl = $1',
}
const NOTE = {
  name: 'index_note_ranked',
  text: `insert into ranked_crawls (crawl, links, created_at) values ($1, $2, 0)
    on conflict (crawl) do update set links = excluded.links`,
}
const FORGET_CRAWLS = {
  name: 'index_forget_crawls',
  text: 'delete from ranked_crawls where crawl <> all($1::text[])',
}
const DELETED_AT_ONCE = 10_000
/** With a sink, the URLs of all these ranks are locked at once. */
export const SINK_RANKS_AT_ONCE = 500
/** Looks for crawls by skipping from one to the next. */
const DELETE_SOME = {
  text: `with recursive c (crawl) as (
      (select crawl from document_ranks order by crawl limit 1)
      union all
      select (select r.crawl from document_ranks r where r.crawl > c.crawl order by r.crawl limit 1)
      from c where c.crawl is not null)
    delete from document_ranks where (crawl, url_id) in (
      select r.crawl, r.url_id from c join document_ranks r on r.crawl = c.crawl
      where c.crawl <> all($1::text[]) limit $2)
    returning url_key`,
}
const PRUNE = {
  name: 'index_prune_ranks',
  text: `delete from url_ranks u where u.url_key = any($1::uuid[])
    and not exists (select 1 from document_ranks r where r.url_key = u.url_key)
    and not exists (select 1 from documents d where d.url_key = u.url_key)`,
}
const LINK_RANKS = {
  name: 'index_link_ranks',
  text: 'select url_id, link_rank from document_ranks where crawl = $1 and url_id > $2 order by url_id limit $3',
}

/** Ranks of a crawl, once all of them are saved. */
export async function readLinkRanks(
  db: Queryable,
  crawlId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Pick<LinkRank, 'urlId' | 'linkRank'>[]> {
  if ((await visitedWhenRanked(db, crawlId)) === 0) return []
  const { rows } = await db.query({ ...LINK_RANKS, values: [crawlId, after, limit] })
  return rows.map((row) => ({ urlId: Number(row['url_id']), linkRank: Number(row['link_rank']) }))
}

export async function saveRanks(
  tx: Queryable,
  crawl: Pick<Crawl, 'id' | 'createdAt'>,
  ranks: LinkRank[],
  sink: DocumentSink | null,
): Promise<void> {
  if (ranks.length === 0) return
  await tx.query(LOCK)
  await tx.query({ ...SAVE_CRAWL, values: [crawl.id, crawl.createdAt] })
  const keys = ranks.map(({ url }) => urlKey(url))
  const values = [
    crawl.id,
    ranks.map(({ urlId }) => urlId),
    keys,
    ranks.map(({ linkRank }) => linkRank),
    ranks.map(({ inlinks }) => inlinks),
    ranks.map(({ hostPages }) => hostPages),
    ranks.map(({ isLinkList }) => isLinkList),
  ]
  await tx.query({ ...SAVE, values })
  await chooseRanks(tx, keys, sink)
}

async function chooseRanks(tx: Queryable, keys: string[], sink: DocumentSink | null): Promise<void> {
  if (sink !== null) await lockUrls(tx, keys)
  const { rows } = await tx.query({ ...CHOOSE, values: [keys] })
  await sink?.rewrite(
    tx,
    rows.map((row) => String(row['url_key'])),
  )
}

/** Ranks of each URL; zeros if unknown. */
export async function readRanks(db: Queryable, urls: string[]): Promise<{ linkRank: number; inlinks: number }[]> {
  const { rows } = await db.query({ ...READ, values: [urls.map(urlKey)] })
  return rows.map((row) => ({ linkRank: Number(row['link_rank'] ?? 0), inlinks: Number(row['inlinks'] ?? 0) }))
}

export async function visitedWhenRanked(db: Queryable, crawlId: string): Promise<number> {
  const [row] = (await db.query({ ...VISITED_WHEN_RANKED, values: [crawlId] })).rows
  return Number(row?.['links'] ?? 0)
}

export async function recordRanked(db: Queryable, crawlId: string, links: number): Promise<void> {
  await db.query({ ...NOTE, values: [crawlId, links] })
}

/** Deletes some of the ranks of all other crawls. Returns whether none are left. */
export async function deleteSomeOtherRanks(
  tx: Queryable,
  crawlIds: string[],
  sink: DocumentSink | null,
): Promise<boolean> {
  await tx.query(LOCK)
  await tx.query({ ...FORGET_CRAWLS, values: [crawlIds] })
  const atOnce = sink === null ? DELETED_AT_ONCE : SINK_RANKS_AT_ONCE
  const { rows } = await tx.query({ ...DELETE_SOME, values: [crawlIds, atOnce] })
  const keys = [...new Set(rows.map((row) => String(row['url_key']).replaceAll('-', '')))]
  if (keys.length === 0) return true
  await chooseRanks(tx, keys, sink)
  await pruneRanks(tx, keys)
  return false
}

/** Deletes the ranks of URLs that have neither a document nor a rank in a crawl. */
export async function pruneRanks(tx: Queryable, urlKeys: string[]): Promise<void> {
  await tx.query({ ...PRUNE, values: [urlKeys] })
}
