// Opens a crawled and indexed site for queries, as the API does.

import { loadConfig } from '../../src/config/load-config.ts'
import { readSynonyms } from '../../src/search/query/synonyms.ts'
import { IndexLanguages } from '../../src/search/service/index-languages.ts'
import { runSearch, type SnippetHit } from '../../src/search/service/run-search.ts'
import { openReadSession } from '../../src/setup/read-session.ts'
import { openSearchIndex } from '../../src/setup/search-index.ts'

/** The largest page of results that the API returns. */
const PAGE_LIMIT = 100
const DEFAULTS = { crawl: null, sort: 'relevance', wantsFacets: false, explains: false, groupsSimilar: true } as const

export interface OpenSearch {
  /** Hits from the first on, read page by page. */
  find(text: string, depth: number): Promise<SnippetHit[]>
  close(): Promise<void>
}

export async function openSearch(storeFlags: string[]): Promise<OpenSearch> {
  const { config } = loadConfig(storeFlags, {}, ['data', 'store'])
  const session = await openReadSession(config)
  const opened = await openSearchIndex(config, session.pages)
  if (opened === null) throw new Error(`There is no search index in ${config.data}.`)
  const dependencies = {
    index: opened.index,
    synonyms: readSynonyms(config.synonyms),
    languages: new IndexLanguages(Date.now),
    now: Date.now,
    resolveCrawlId: async () => null,
  }
  return {
    async find(text, depth) {
      const hits: SnippetHit[] = []
      for (let hasMore = true; hasMore && hits.length < depth; ) {
        const limit = Math.min(PAGE_LIMIT, depth - hits.length)
        const page = await runSearch({ text, limit, offset: hits.length, ...DEFAULTS }, dependencies)
        hits.push(...page.hits)
        hasMore = page.hasMore && page.hits.length > 0
      }
      return hits
    },
    async close() {
      await opened.close()
      await session.close()
    },
  }
}
