// Searches over what was crawled, and a look into the index.

import { AppError } from '../../lib/errors.ts'
import { MAX_OFFSET, type SearchIndex, type TermEntry } from '../../ports/search.ts'
import { languageOf } from '../../search/analyse/languages.ts'
import { termOf } from '../../search/analyse/stems.ts'
import { wordsOf } from '../../search/analyse/text-words.ts'
import { type AskParts, ask, type ShownHit } from '../../search/ask/ask.ts'
import { hitJson } from '../../search/ask/hit-json.ts'
import { Languages } from '../../search/ask/languages.ts'
import { suggest } from '../../search/ask/suggest.ts'
import { readSynonyms, type Synonyms } from '../../search/query/synonyms.ts'
import { termsOf } from '../../search/query/terms.ts'
import type { ApiParts, Some } from '../handlers.ts'
import { badCursor, readCursor, writeCursor } from '../requests/cursor.ts'

export function searchHandlers(parts: ApiParts): Some<'search' | 'suggest' | 'getTerm' | 'getIndex'> {
  const languages = new Languages(() => parts.clock.now())
  const synonyms: Synonyms = readSynonyms(parts.config.synonyms)
  const asking = (): AskParts => ({
    index: indexOf(parts),
    synonyms,
    languages,
    now: () => parts.clock.now(),
    findCrawl: (idOrPrefix) => findCrawl(idOrPrefix, parts),
  })
  return {
    async search({ query }) {
      const { q, limit, cursor, crawl, sort, facets, explain, fold } = query
      const offset = cursor === undefined ? 0 : offsetOf(cursor)
      const reply = await ask(
        { text: q, crawl: crawl ?? null, limit, offset, sort, wantsFacets: facets, explains: explain, folds: fold },
        asking(),
      )
      return {
        results: reply.hits.map((hit) => toHit(hit, explain)),
        total: reply.total,
        total_is_exact: reply.isTotalExact,
        next_cursor: reply.hasMore ? writeCursor(offset + limit) : null,
        took_ms: Math.round(reply.tookMs * 10) / 10,
        query: reply.reading,
        note: reply.note,
        did_you_mean: reply.didYouMean,
        related: reply.related,
        facets: reply.facets,
      }
    },
    async suggest({ query }) {
      return { suggestions: await suggest(query.q, query.limit, indexOf(parts)) }
    },
    async getTerm({ params, query }) {
      const [word = ''] = wordsOf(params.term)
      const index = indexOf(parts)
      const terms =
        query.lang === undefined ? termsOf(word, await languages.of(index)) : [termOf(word, languageOf(query.lang))]
      for (const term of terms) {
        const entry = await index.term(term, query.limit)
        if (entry !== null) return toEntry(entry)
      }
      throw new AppError('TERM_NOT_FOUND', `No page in the index has the term "${params.term}".`)
    },
    async getIndex() {
      if (parts.search === null) {
        return { is_on: false, documents: 0, waiting: 0, lag_ms: 0, bytes: 0, pages_per_second: 0, by_lang: [] }
      }
      const { documents, waiting, lagMs, bytes, pagesPerSecond, byLang } = await parts.search.status()
      const rate = Math.round(pagesPerSecond * 10) / 10
      return { is_on: true, documents, waiting, lag_ms: lagMs, bytes, pages_per_second: rate, by_lang: byLang }
    },
  }
}

function indexOf({ search }: ApiParts): SearchIndex {
  if (search === null) {
    throw new AppError('INDEX_OFF', 'Nothing is indexed here: start a process with the role indexer.')
  }
  return search
}

async function findCrawl(idOrPrefix: string, { crawls }: ApiParts): Promise<string | null> {
  try {
    return (await crawls.find(idOrPrefix)).id
  } catch (error) {
    const isUnknown =
      error instanceof AppError && (error.code === 'CRAWL_NOT_FOUND' || error.code === 'CRAWL_AMBIGUOUS')
    if (isUnknown) return null
    throw error
  }
}

function offsetOf(cursor: string): number {
  const [offset] = readCursor(cursor, ['number'])
  if (typeof offset !== 'number' || !Number.isInteger(offset) || offset < 0 || offset > MAX_OFFSET) throw badCursor()
  return offset
}

function toHit(hit: ShownHit, explains: boolean) {
  const { parts } = hit
  return {
    ...hitJson(hit),
    title_highlights: hit.titleHighlights,
    content_type: hit.contentType,
    changed_at: new Date(hit.changedAt).toISOString(),
    explanation: explains
      ? { text: parts.text, link_rank: parts.linkRank, freshness: parts.freshness, fields: parts.fields }
      : null,
  }
}

function toEntry({ term, documentFrequency, documents, entries }: TermEntry) {
  // As BM25 has it, so that it is never negative.
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
