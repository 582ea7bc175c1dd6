// Searches for readers: only pages of public crawls are found, counted, suggested and shown.

import type { Clock } from '../../lib/clock.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { normaliseLanguage } from '../../search/analyse/stemmers.ts'
import type { Synonyms } from '../../search/query/synonyms.ts'
import { IndexLanguages } from '../../search/service/index-languages.ts'
import { runSearch, type SearchResults } from '../../search/service/run-search.ts'
import { suggest } from '../../search/service/suggest.ts'
import { type PageRequest, RESULTS_PER_PAGE, toQueryText } from './page-request.ts'
import type { PublicCrawls } from './public-crawls.ts'

const MAX_SUGGESTIONS = 8
const MAX_WORDS = 4
/** More hits than suggestions, since not every hit has a title that continues the text. */
const MAX_HITS = 20
/** The index finds no shorter ones. */
const MIN_PREFIX = 3
const MAX_SUGGESTED_TEXT = 100
const LAST_WORD = /[\p{L}\p{N}]+$/u

export interface ReaderSearchDependencies {
  index: SearchIndex
  publicCrawls: PublicCrawls
  synonyms: Synonyms
  clock: Clock
}

export interface ReaderSearch {
  search(request: PageRequest, acceptLanguage: string | null): Promise<SearchResults>
  suggest(text: string): Promise<string[]>
}

export function createReaderSearch({ index, publicCrawls, synonyms, clock }: ReaderSearchDependencies): ReaderSearch {
  const now = () => clock.now()
  const dependencies = {
    index,
    synonyms,
    languages: new IndexLanguages(now),
    now,
    resolveCrawlId: async (prefix: string) => publicCrawls.find(prefix),
  }
  const common = { crawl: null, allowedCrawlIds: publicCrawls.ids, explains: false, groupsSimilar: true } as const
  return {
    search: (request, acceptLanguage) =>
      runSearch(
        {
          ...common,
          text: toQueryText(request),
          preferredLang: firstLanguage(acceptLanguage),
          limit: RESULTS_PER_PAGE,
          offset: (request.page - 1) * RESULTS_PER_PAGE,
          sort: request.sort,
          wantsFacets: true,
        },
        dependencies,
      ),
    async suggest(text) {
      const start = text.trimStart().slice(0, MAX_SUGGESTED_TEXT)
      if (start === '') return []
      // The words of the index come from all crawls.
      const words = publicCrawls.ids === null ? await suggest(start, MAX_WORDS, index) : []
      const last = LAST_WORD.exec(start)?.[0] ?? ''
      // The word itself is included, since its stem may be shorter than what was typed.
      const before = start.slice(0, start.length - last.length)
      const query = last.length < MIN_PREFIX ? before : `${before}(${last} OR ${last}*)`
      const request = { ...common, text: query, preferredLang: null, limit: MAX_HITS, offset: 0 }
      const { hits } = await runSearch({ ...request, sort: 'relevance', wantsFacets: false }, dependencies)
      // Other hits have the word elsewhere.
      const titles = hits.map(({ title }) => title).filter((title) => title.toLowerCase().includes(last.toLowerCase()))
      const texts = [...words.map((word) => word.text), ...titles]
      return [...new Set(texts)].slice(0, MAX_SUGGESTIONS)
    },
  }
}

/** The language that the reader's browser prefers. */
function firstLanguage(acceptLanguage: string | null): string | null {
  const first = /^\s*([a-z]{2,3}(?:-[a-z0-9]+)*)/i.exec(acceptLanguage ?? '')?.[1]
  return first === undefined ? null : normaliseLanguage(first)
}
