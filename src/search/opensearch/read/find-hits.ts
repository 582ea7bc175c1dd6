// Runs a query: finds candidates, sorts them, and loads the hits of one page.

import { type IndexHit, type IndexQuery, type IndexResult, MAX_OFFSET } from '../../../ports/search.ts'
import { type ArrangedHit, arrangeHits, comparatorFor } from '../../rank/arrange-hits.ts'
import type { Candidates } from '../../rank/candidates.ts'
import { countFacets } from '../../rank/facets.ts'
import { SnippetMaker } from '../../snippet/make-snippet.ts'
import type { SearchClient } from '../client.ts'
import type { StoredDocument } from '../document-source.ts'
import { type CandidateLimits, findCandidates, type RankedCandidate } from './candidates.ts'
import { search } from './engine.ts'
import { type NearDuplicateTarget, routingParameter } from './filter-query.ts'

const SHOWN = ['page', 'crawl', 'version', 'title', 'lang', 'content_type', 'visited_at', 'text', 'keywords'] as const
type ShownDocument = Pick<StoredDocument, (typeof SHOWN)[number]>

export async function findHits(client: SearchClient, query: IndexQuery, limits: CandidateLimits): Promise<IndexResult> {
  const { nearDuplicateOf } = query.filter
  const nearDuplicateTarget = nearDuplicateOf === null ? null : await readTarget(client, nearDuplicateOf)
  if (nearDuplicateTarget === 'unknown') return emptyResult(query)
  const candidates = await findCandidates(client, { query, nearDuplicateTarget, limits })
  const { ranked, total, isTotalExact, fullMatches } = candidates
  const arranged = arrangeHits(ranked.toSorted(comparatorFor(query.sort)), query)
  const end = query.offset + query.limit
  return {
    hits: await loadHits(client, { query, candidates }, arranged.slice(query.offset, end)),
    total,
    isTotalExact,
    fullMatches,
    hasMore: end < arranged.length && end <= MAX_OFFSET,
    facets: query.wantsFacets ? countFacets(ranked) : null,
  }
}

async function readTarget(client: SearchClient, pageId: number): Promise<NearDuplicateTarget | 'unknown'> {
  const { hits } = await search(client, {
    query: { term: { page: pageId } },
    size: 1,
    _source: ['fingerprint', 'quarters'],
  })
  const [found] = hits.hits
  if (found === undefined) return 'unknown'
  const { fingerprint, quarters } = found._source as Pick<StoredDocument, 'fingerprint' | 'quarters'>
  return { pageId, fingerprint, quarters }
}

function emptyResult({ wantsFacets }: IndexQuery): IndexResult {
  const facets = wantsFacets ? countFacets([]) : null
  return { hits: [], total: 0, isTotalExact: true, fullMatches: 0, hasMore: false, facets }
}

async function loadHits(
  client: SearchClient,
  { query, candidates }: { query: IndexQuery; candidates: Candidates<RankedCandidate> },
  page: ArrangedHit<RankedCandidate>[],
): Promise<IndexHit[]> {
  const pages = page.map(({ pageId }) => pageId)
  const documents = await readShown(client, pages, routingParameter(query.filter))
  const snippets = new SnippetMaker(query)
  return page.flatMap((one) => {
    const document = documents.get(one.pageId)
    // The document may have been replaced in the meantime.
    if (document === undefined) return []
    const fields = query.explains ? candidates.explain(one.pageId) : {}
    const { title, lang, text } = document
    const snippet = snippets.makeSnippet(text, lang)
    return [{ ...toHit(document, one, fields), snippet, titleHighlights: snippets.findHighlights(title, lang) }]
  })
}

async function readShown(
  client: SearchClient,
  pages: readonly number[],
  parameters: string,
): Promise<Map<number, ShownDocument>> {
  if (pages.length === 0) return new Map()
  // Twice as many: while a document moves, two indices have it.
  const body = { query: { terms: { page: pages } }, size: 2 * pages.length, _source: SHOWN }
  const { hits } = await search(client, { ...body, track_total_hits: false }, parameters)
  return new Map(hits.hits.map(({ _source }) => _source as unknown as ShownDocument).map((one) => [one.page, one]))
}

function toHit(
  document: ShownDocument,
  candidate: ArrangedHit<RankedCandidate>,
  fields: IndexHit['parts']['fields'],
): Omit<IndexHit, 'snippet' | 'titleHighlights'> {
  const { pageId, url, host, changedAt, text, linkRank, language, freshness, score, similar } = candidate
  return {
    pageId,
    crawlId: document.crawl,
    url,
    host,
    version: document.version,
    title: document.title,
    lang: document.lang,
    contentType: document.content_type,
    visitedAt: document.visited_at,
    changedAt,
    keywords: document.keywords,
    similar,
    score,
    parts: { text, linkRank, language, freshness, fields },
  }
}
