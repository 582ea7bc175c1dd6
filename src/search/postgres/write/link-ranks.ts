// Link ranks of URLs, stored also for URLs without a document.

import type { LinkRank } from '../../../ports/search.ts'
import { type Queryable, withoutTimeout } from '../../../store/postgres/query.ts'

const SAVE = {
  name: 'index_save_ranks',
  text: `insert into document_ranks as r (crawl, url_id, link_rank, inlinks)
    select $1::text, n.url_id, n.link_rank, n.inlinks
    from unnest($2::bigint[], $3::real[], $4::bigint[]) as n (url_id, link_rank, inlinks) order by n.url_id
    on conflict (crawl, url_id) do update set link_rank = excluded.link_rank, inlinks = excluded.inlinks
      where (r.link_rank, r.inlinks) is distinct from (excluded.link_rank, excluded.inlinks)`,
}
const READ = {
  name: 'index_read_ranks',
  text: `select r.link_rank, r.inlinks
    from unnest($1::text[], $2::bigint[]) with ordinality as w (crawl, url_id, place)
      left join document_ranks r on r.crawl = w.crawl and r.url_id = w.url_id
    order by w.place`,
}
const VISITED_WHEN_RANKED = {
  name: 'index_visited_when_ranked',
  text: 'select links from ranked_crawls where crawl = $1',
}
const NOTE = {
  name: 'index_note_ranked',
  text: `insert into ranked_crawls (crawl, links) values ($1, $2)
    on conflict (crawl) do update set links = excluded.links`,
}
/**
 * Deletes crawl by crawl, not row by row. Ranks of existing documents stay, since a document without one is not found.
 */
const DELETE_OTHERS = {
  text: `with recursive c (crawl) as (
      (select crawl from document_ranks order by crawl limit 1)
      union all
      select (select r.crawl from document_ranks r where r.crawl > c.crawl order by r.crawl limit 1)
      from c where c.crawl is not null)
    delete from document_ranks r using c where r.crawl = c.crawl and c.crawl <> all($1::text[])
      and not exists (select 1 from documents d where d.crawl = r.crawl and d.url_id = r.url_id)`,
}
const FORGET_CRAWLS = {
  name: 'index_forget_crawls',
  text: 'delete from ranked_crawls where crawl <> all($1::text[])',
}

const LINK_RANKS = {
  name: 'index_link_ranks',
  text: 'select url_id, link_rank from document_ranks where crawl = $1 and url_id > $2 order by url_id limit $3',
}

/** The rank of a document that was indexed before its crawl was ranked is a placeholder. */
export async function readLinkRanks(
  db: Queryable,
  crawlId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Pick<LinkRank, 'urlId' | 'linkRank'>[]> {
  if ((await visitedWhenRanked(db, crawlId)) === 0) return []
  const { rows } = await db.query({ ...LINK_RANKS, values: [crawlId, after, limit] })
  return rows.map((row) => ({ urlId: Number(row['url_id']), linkRank: Number(row['link_rank']) }))
}

export interface RankedUrl {
  crawlId: string
  urlId: number
}

export async function saveRanks(db: Queryable, crawlId: string, ranks: LinkRank[]): Promise<void> {
  if (ranks.length === 0) return
  const values = [
    ranks.map(({ urlId }) => urlId),
    ranks.map(({ linkRank }) => linkRank),
    ranks.map(({ inlinks }) => inlinks),
  ]
  await db.query({ ...SAVE, values: [crawlId, ...values] })
}

/** Per URL; zeros if unknown. */
export async function readRanks(db: Queryable, urls: RankedUrl[]): Promise<{ linkRank: number; inlinks: number }[]> {
  const values = [urls.map(({ crawlId }) => crawlId), urls.map(({ urlId }) => urlId)]
  const { rows } = await db.query({ ...READ, values })
  return rows.map((row) => ({ linkRank: Number(row['link_rank'] ?? 0), inlinks: Number(row['inlinks'] ?? 0) }))
}

export async function visitedWhenRanked(db: Queryable, crawlId: string): Promise<number> {
  const [row] = (await db.query({ ...VISITED_WHEN_RANKED, values: [crawlId] })).rows
  return Number(row?.['links'] ?? 0)
}

export async function recordRanked(db: Queryable, crawlId: string, links: number): Promise<void> {
  await db.query({ ...NOTE, values: [crawlId, links] })
}

export async function deleteOtherRanks(tx: Queryable, crawlIds: string[]): Promise<void> {
  await tx.query({ ...FORGET_CRAWLS, values: [crawlIds] })
  await withoutTimeout(tx, { ...DELETE_OTHERS, values: [crawlIds] })
}
