// Answers a query: candidates, their order, and what the hits of one page have to show.

import { type IndexAnswer, type IndexHit, type IndexQuery, MAX_OFFSET } from '../../ports/search.ts'
import type { Queryable, Row } from '../../store/postgres/query.ts'
import { arrange } from '../rank/arrange.ts'
import { countFacets } from '../rank/facets.ts'
import { freshnessFactor, linkFactor } from '../rank/factors.ts'
import { findCandidates, type Limits, type Ranked } from './candidates.ts'
import { explain } from './explain.ts'
import type { Likeness } from './filter.ts'
import { inOrder } from './order.ts'

const LIKENESS = {
  name: 'index_likeness',
  text: 'select fingerprint::text as fingerprint, quarters from documents where page = $1',
}
const HITS = {
  name: 'index_hits',
  text: `select page, crawl, url, host, version, title, lang, content_type, visited_at, changed_at, text, keywords
    from documents where page = any($1::bigint[])`,
}

export async function find(db: Queryable, query: IndexQuery, limits: Limits): Promise<IndexAnswer> {
  const likeness = await likenessOf(db, query.filter.nearDuplicateOf)
  if (likeness === 'unknown') return nothing(query)
  const candidates = await findCandidates(db, { query, likeness, limits })
  const { ranked, total, isTotalExact } = candidates
  const folds = query.folds && query.filter.nearDuplicateOf === null
  const arranged = arrange(await inOrder(db, candidates, query), folds)
  const end = query.offset + query.limit
  const page = arranged.slice(query.offset, end)
  const ids = page.map(({ pageId }) => pageId)
  const rows = new Map((await db.query({ ...HITS, values: [ids] })).rows.map((row) => [Number(row['page']), row]))
  const fields = query.explains ? await explain(db, ids, candidates) : new Map()
  return {
    hits: page.flatMap(({ similar, ...one }) => {
      const row = rows.get(one.pageId)
      // A new version may have come in between.
      return row === undefined ? [] : [toHit(row, { ...one, similar, fields: fields.get(one.pageId) ?? {} }, query)]
    }),
    total,
    isTotalExact,
    hasMore: end < arranged.length && end <= MAX_OFFSET,
    facets: query.wantsFacets ? countFacets(ranked) : null,
  }
}

async function likenessOf(db: Queryable, pageId: number | null): Promise<Likeness | null | 'unknown'> {
  if (pageId === null) return null
  const [row] = (await db.query({ ...LIKENESS, values: [pageId] })).rows
  if (row === undefined) return 'unknown'
  return { pageId, fingerprint: row['fingerprint'] as string | null, quarters: row['quarters'] as number[] }
}

function nothing({ wantsFacets }: IndexQuery): IndexAnswer {
  const facets = wantsFacets ? countFacets([]) : null
  return { hits: [], total: 0, isTotalExact: true, hasMore: false, facets }
}

type Shown = Ranked & { similar: number; fields: IndexHit['parts']['fields'] }

function toHit(row: Row, shown: Shown, query: IndexQuery): IndexHit {
  const { pageId, host, changedAt, text, linkRank, score, similar, fields } = shown
  return {
    pageId,
    crawlId: String(row['crawl']),
    url: String(row['url']),
    host,
    version: Number(row['version']),
    title: String(row['title']),
    lang: row['lang'] as string | null,
    contentType: row['content_type'] as string | null,
    visitedAt: Number(row['visited_at']),
    changedAt,
    text: String(row['text']),
    keywords: row['keywords'] as string[],
    similar,
    score,
    parts: { text, linkRank: linkFactor(linkRank), freshness: freshnessFactor(changedAt, query), fields },
  }
}
