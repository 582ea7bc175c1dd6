// Opens a crawled and indexed site for queries, as the API does.

import { loadConfig } from '../../src/config/load-config.ts'
import type { IndexHit } from '../../src/ports/search.ts'
import { readSynonyms } from '../../src/search/query/synonyms.ts'
import { IndexLanguages } from '../../src/search/service/index-languages.ts'
import { runSearch } from '../../src/search/service/run-search.ts'
import { openReadSession } from '../../src/setup/read-session.ts'
import { openSearchIndex } from '../../src/setup/search-index.ts'

const DEFAULTS = {
  crawl: null,
  preferredLang: null,
  sort: 'relevance',
  wantsFacets: false,
  explains: false,
  groupsSimilar: true,
} as const

export interface OpenSearch {
  /** The first hits. The API returns at most 100 at a time, but its pages make up the same list. */
  find(text: string, limit: number): Promise<IndexHit[]>
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
    find: async (text, limit) => (await runSearch({ ...DEFAULTS, text, limit, offset: 0 }, dependencies)).hits,
    async close() {
      await opened.close()
      await session.close()
    },
  }
}
