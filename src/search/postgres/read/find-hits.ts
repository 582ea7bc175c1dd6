// Runs a query: finds candidates, sorts them, and loads the hits of one page.

import { type IndexHit, type IndexQuery, type IndexResult, MAX_OFFSET } from '../../../ports/search.ts'
import type { Queryable, Row } from '../../../store/postgres/query.ts'
import { arrangeHits, comparatorFor } from '../../rank/arrange-hits.ts'
import { countFacets } from '../../rank/facets.ts'
import { SnippetMaker } from '../../snippet/make-snippet.ts'
import { type CandidateLimits, findCandidates, type RankedCandidate } from './candidates.ts'
import type { NearDuplicateTarget } from './filter-sql.ts'

const NEAR_DUPLICATE_TARGET = {
  name: 'index_fingerprint',
  text: 'select fingerprint::text as fingerprint, quarters from documents where page = $1',
}
const HITS = {
  name: 'index_hits',
  text: `select page, crawl, url, host, version, title, lang, content_type, visited_at, changed_at, text, keywords
    from documents where page = any($1::bigint[])`,
}

export async function findHits(
  db: Queryable,
  query: IndexQuery,
  candidateLimits: CandidateLimits,
): Promise<IndexResult> {
  const nearDuplicateTarget = await readNearDuplicateTarget(db, query.filter.nearDuplicateOf)
  if (nearDuplicateTarget === 'unknown') return emptyResult(query)
  const candidates = await findCandidates(db, { query, nearDuplicateTarget, limits: candidateLimits })
  const { ranked, total, isTotalExact, fullMatches } = candidates
  const arranged = arrangeHits(ranked.toSorted(comparatorFor(query.sort)), query)
  const end = query.offset + query.limit
  const page = arranged.slice(query.offset, end)
  const ids = page.map(({ pageId }) => pageId)
  const rows = new Map((await db.query({ ...HITS, values: [ids] })).rows.map((row) => [Number(row['page']), row]))
  const snippets = new SnippetMaker(query)
  return {
    hits: page.flatMap(({ similar, ...one }) => {
      const row = rows.get(one.pageId)
      // The document may have been replaced in the meantime.
      if (row === undefined) return []
      const fields = query.explains ? candidates.explain(one.pageId) : {}
      const hit = toHit(row, { ...one, similar, fields })
      return [{ ...hit, ...snippetsOf(row, hit, snippets) }]
    }),
    total,
    isTotalExact,
    fullMatches,
    hasMore: end < arranged.length && end <= MAX_OFFSET,
    facets: query.wantsFacets ? countFacets(ranked) : null,
  }
}

async function readNearDuplicateTarget(
  db: Queryable,
  pageId: number | null,
): Promise<NearDuplicateTarget | null | 'unknown'> {
  if (pageId === null) return null
  const [row] = (await db.query({ ...NEAR_DUPLICATE_TARGET, values: [pageId] })).rows
  if (row === undefined) return 'unknown'
  return { pageId, fingerprint: row['fingerprint'] as string | null, quarters: row['quarters'] as number[] }
}

function emptyResult({ wantsFacets }: IndexQuery): IndexResult {
  const facets = wantsFacets ? countFacets([]) : null
  return { hits: [], total: 0, isTotalExact: true, fullMatches: 0, hasMore: false, facets }
}

type RankedHit = RankedCandidate & { similar: number; fields: IndexHit['parts']['fields'] }

function snippetsOf(row: Row, { title, lang }: Pick<IndexHit, 'title' | 'lang'>, snippets: SnippetMaker) {
  return {
    snippet: snippets.makeSnippet(String(row['text']), lang),
    titleHighlights: snippets.findHighlights(title, lang),
  }
}

function toHit(row: Row, rankedHit: RankedHit): Omit<IndexHit, 'snippet' | 'titleHighlights'> {
  const { pageId, host, changedAt, text, linkRank, language, freshness, score, similar, fields } = rankedHit
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
    keywords: row['keywords'] as string[],
    similar,
    score,
    parts: { text, linkRank, language, freshness, fields },
  }
}
