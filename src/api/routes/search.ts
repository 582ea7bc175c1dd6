// Handlers for searches, suggestions and the inverted index.

import { AppError } from '../../lib/errors.ts'
import { isoTime } from '../../lib/iso-time.ts'
import { roundToTenth } from '../../lib/round-to-tenth.ts'
import { type IndexHit, MAX_OFFSET, type SearchIndex, type TermEntry } from '../../ports/search.ts'
import { toIndexTerm } from '../../search/analyse/index-terms.ts'
import { splitWords } from '../../search/analyse/split-words.ts'
import { normaliseLanguage } from '../../search/analyse/stemmers.ts'
import { stemInLanguages } from '../../search/query/stem-in-languages.ts'
import { readSynonyms, type Synonyms } from '../../search/query/synonyms.ts'
import { toHitJson } from '../../search/service/hit-json.ts'
import { IndexLanguages } from '../../search/service/index-languages.ts'
import { runSearch, type SearchDependencies } from '../../search/service/run-search.ts'
import { suggest } from '../../search/service/suggest.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { badCursorError, readCursor, writeCursor } from '../requests/cursor.ts'

export interface SearchHandlerDependencies extends Pick<ApiDependencies, 'clock' | 'search'> {
  config: Pick<ApiDependencies['config'], 'synonyms'>
  crawls: Pick<ApiDependencies['crawls'], 'find'>
  pages: Pick<ApiDependencies['pages'], 'newestId'>
}

export function searchHandlers(
  dependencies: SearchHandlerDependencies,
): HandlersFor<'search' | 'suggest' | 'getTerm' | 'getIndex'> {
  const indexLanguages = new IndexLanguages(() => dependencies.clock.now())
  const synonyms: Synonyms = readSynonyms(dependencies.config.synonyms)
  const searchDependencies = (): SearchDependencies => ({
    index: requireIndex(dependencies),
    synonyms,
    languages: indexLanguages,
    now: () => dependencies.clock.now(),
    resolveCrawlId: (idOrPrefix) => findCrawl(idOrPrefix, dependencies),
  })
  return {
    async search({ query }) {
      const { q, limit, cursor, crawl, prefer_lang, sort, facets, explain, fold } = query
      const offset = cursor === undefined ? 0 : parseOffset(cursor)
      const searchResults = await runSearch(
        {
          text: q,
          crawl: crawl ?? null,
          allowedCrawlIds: null,
          preferredLang: prefer_lang === undefined ? null : normaliseLanguage(prefer_lang),
          limit,
          offset,
          sort,
          wantsFacets: facets,
          explains: explain,
          groupsSimilar: fold,
        },
        searchDependencies(),
      )
      return {
        results: searchResults.hits.map((hit) => toResultJson(hit, explain)),
        total: searchResults.total,
        total_is_exact: searchResults.isTotalExact,
        next_cursor: searchResults.hasMore ? writeCursor(offset + limit) : null,
        took_ms: roundToTenth(searchResults.tookMs),
        query: searchResults.canonicalQuery,
        note: searchResults.warning,
        did_you_mean: searchResults.didYouMean,
        related: searchResults.related,
        facets: searchResults.facets,
      }
    },
    async suggest({ query }) {
      return { suggestions: await suggest(query.q, query.limit, requireIndex(dependencies)) }
    },
    async getTerm({ params, query }) {
      const [word = ''] = splitWords(params.term)
      const index = requireIndex(dependencies)
      const terms =
        query.lang === undefined
          ? stemInLanguages(word, (await indexLanguages.read(index)).languages)
          : [toIndexTerm(word, normaliseLanguage(query.lang))]
      for (const term of terms) {
        const entry = await index.term(term, query.limit)
        if (entry !== null) return toTermJson(entry)
      }
      throw new AppError('TERM_NOT_FOUND', `No indexed page contains the term "${params.term}".`)
    },
    async getIndex() {
      if (dependencies.search === null) {
        const waiting = await dependencies.pages.newestId()
        return { is_on: false, documents: 0, waiting, lag_ms: 0, bytes: 0, pages_per_second: 0, by_lang: [] }
      }
      const { documents, waiting, lagMs, bytes, pagesPerSecond, byLang } = await dependencies.search.status()
      const rate = roundToTenth(pagesPerSecond)
      return { is_on: true, documents, waiting, lag_ms: lagMs, bytes, pages_per_second: rate, by_lang: byLang }
    },
  }
}

function requireIndex({ search }: Pick<ApiDependencies, 'search'>): SearchIndex {
  if (search === null) {
    throw new AppError('INDEX_OFF', 'There is no search index. Start a process with the indexer role.')
  }
  return search
}

async function findCrawl(
  idOrPrefix: string,
  { crawls }: Pick<SearchHandlerDependencies, 'crawls'>,
): Promise<string | null> {
  try {
    return (await crawls.find(idOrPrefix)).id
  } catch (error) {
    const isUnknown =
      error instanceof AppError && (error.code === 'CRAWL_NOT_FOUND' || error.code === 'CRAWL_AMBIGUOUS')
    if (isUnknown) return null
    throw error
  }
}

function parseOffset(cursor: string): number {
  const [offset] = readCursor(cursor, ['number'])
  if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0 || offset > MAX_OFFSET)
    throw badCursorError()
  return offset
}

function toResultJson(hit: IndexHit, explains: boolean) {
  const { parts } = hit
  return {
    ...toHitJson(hit),
    title_highlights: hit.titleHighlights,
    content_type: hit.contentType,
    changed_at: isoTime(hit.changedAt),
    explanation: explains
      ? {
          text: parts.text,
          link_rank: parts.linkRank,
          language: parts.language,
          freshness: parts.freshness,
          fields: parts.fields,
        }
      : null,
  }
}

function toTermJson({ term, documentFrequency, documents, entries }: TermEntry) {
  // The BM25 variant, which is never negative.
  const idf = Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5))
  return {
    term,
    document_frequency: documentFrequency,
    inverse_document_frequency: idf,
    documents: entries.map(({ pageId, url, frequency, positions }) => ({
      doc_id: pageId,
      url,
      term_frequency: frequency,
      positions: positions.body ?? [],
      fields: positions,
      tf_idf_score: frequency * idf,
    })),
  }
}
