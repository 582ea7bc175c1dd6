// Runs a search from the text a person typed to the results they see: interprets the query, finds the hits, and adds
// spelling corrections and related words. Used by the API and the CLI, on any index.

import {
  type IndexHit,
  type IndexQuery,
  type IndexResult,
  MAX_OFFSET,
  type SearchFilter,
  type SearchIndex,
} from '../../ports/search.ts'
import { type InterpretedQuery, interpretWithVocabulary } from '../query/interpret-query.ts'
import { rememberCounts } from '../query/remembered-counts.ts'
import type { Synonyms } from '../query/synonyms.ts'
import { suggestQuery } from './did-you-mean.ts'
import type { IndexLanguages } from './index-languages.ts'
import { pickRelatedWords } from './related-words.ts'

export interface SearchDependencies {
  index: SearchIndex
  synonyms: Synonyms
  languages: IndexLanguages
  now: () => number
  /** Expands the prefix of a crawl id; null if it matches none or several. */
  resolveCrawlId: (idOrPrefix: string) => Promise<string | null>
}

export interface SearchRequest {
  text: string
  crawl: string | null
  /** Only pages of these crawls may be found, whatever the query says; null for all. */
  allowedCrawlIds: readonly string[] | null
  /**
   * Ignored if the query is clearly in another language. Null means the language of most pages of the index, if there
   * is one.
   */
  preferredLang: string | null
  limit: number
  offset: number
  sort: IndexQuery['sort']
  wantsFacets: boolean
  explains: boolean
  groupsSimilar: boolean
}

export interface SearchResults extends IndexResult {
  /** The query as it was interpreted, with every operator. */
  canonicalQuery: string
  warning: string | null
  didYouMean: string | null
  related: string[]
  tookMs: number
}

const RELATED_FROM = 5

export async function runSearch(
  searchRequest: SearchRequest,
  dependencies: SearchDependencies,
): Promise<SearchResults> {
  const startedAt = performance.now()
  const now = dependencies.now()
  const { index, synonyms } = dependencies
  const { languages, pages, main } = await dependencies.languages.read(index)
  const context = { languages, pages, synonyms, now, readerLang: searchRequest.preferredLang }
  const vocabulary = rememberCounts(index)
  const interpretedQuery = await interpretWithVocabulary(searchRequest.text, context, vocabulary)
  const warnings = interpretedQuery.warning === null ? [] : [interpretedQuery.warning]
  warnings.push(...(await resolveCrawl(interpretedQuery, searchRequest.crawl, dependencies)))
  const { limit, offset, sort, wantsFacets, groupsSimilar, explains } = searchRequest
  const preferredLang = interpretedQuery.queryLang ?? searchRequest.preferredLang ?? main
  const filter = restrictFilter(interpretedQuery.filter, searchRequest.allowedCrawlIds)
  const query = { filter, preferredLang, sort, now, limit, offset, wantsFacets, groupsSimilar, explains }
  const { text, words, anyWordText } = interpretedQuery
  const result = await findAll(index, interpretedQuery, { ...query, text, words, anyWord: anyWordText })
  if (result.fullMatches === 0 && result.total > 0 && words.length > 1)
    warnings.push('No page contains all the words; these contain some of them.')
  const isFirst = offset === 0
  const typed = { text: searchRequest.text, words, context, stemmed: interpretedQuery }
  const [matches, hits] = [result.fullMatches, result.hits]
  const didYouMean = isFirst
    ? await suggestQuery(
        { ...typed, matches, hits },
        { ...query, text, words: [], anyWord: null },
        { index, vocabulary },
      )
    : null
  return {
    ...result,
    hasMore: result.hasMore && offset + limit <= MAX_OFFSET,
    canonicalQuery: interpretedQuery.canonicalQuery,
    warning: warnings.length === 0 ? null : warnings.join(' '),
    didYouMean,
    related: isFirst ? relatedToHits(result.hits, words) : [],
    tookMs: performance.now() - startedAt,
  }
}

/** An empty query finds nothing; a query of filters alone finds everything that passes them. */
async function findAll(
  index: SearchIndex,
  { text, filter }: InterpretedQuery,
  query: IndexQuery,
): Promise<IndexResult> {
  const isNarrow = Object.values(filter).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null))
  if (text !== null || isNarrow) return index.find(query)
  const facets = query.wantsFacets ? { host: [], lang: [], type: [], date: [] } : null
  return { hits: [], total: 0, isTotalExact: true, fullMatches: 0, hasMore: false, facets }
}

/** Replaces the crawl id in the filter by the full id. Returns a warning if the crawl does not exist. */
async function resolveCrawl(
  { filter }: InterpretedQuery,
  requestedCrawl: string | null,
  dependencies: SearchDependencies,
): Promise<string[]> {
  const wanted = filter.crawlIds?.[0] ?? requestedCrawl
  if (wanted === null) return []
  const id = await dependencies.resolveCrawlId(wanted)
  filter.crawlIds = [id ?? wanted]
  return id === null ? [`There is no crawl ${wanted}.`] : []
}

function restrictFilter(filter: SearchFilter, allowedIds: readonly string[] | null): SearchFilter {
  if (allowedIds === null) return filter
  // Near-duplicates of the page would reveal content of a crawl that is not allowed.
  if (filter.nearDuplicateOf !== null) return { ...filter, crawlIds: [] }
  const { crawlIds } = filter
  return { ...filter, crawlIds: crawlIds === null ? allowedIds : allowedIds.filter((id) => crawlIds.includes(id)) }
}

function relatedToHits(hits: IndexHit[], words: string[]): string[] {
  const best = hits.slice(0, RELATED_FROM).map(({ keywords }) => keywords)
  return best.length === 0 ? [] : pickRelatedWords(best, words)
}
