// Opens a crawled and indexed site for queries, as the API does.

import { loadConfig } from '../../src/config/load-config.ts'
import type { Config } from '../../src/config/schema.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { IndexHit, SearchIndex } from '../../src/ports/search.ts'
import { openEngineIndex } from '../../src/search/opensearch/open.ts'
import { openIndex } from '../../src/search/postgres/open.ts'
import { readSynonyms } from '../../src/search/query/synonyms.ts'
import { IndexLanguages } from '../../src/search/service/index-languages.ts'
import { runSearch } from '../../src/search/service/run-search.ts'
import { openForReading } from '../../src/search/sqlite/open.ts'
import { SqliteIndex } from '../../src/search/sqlite/read/sqlite-index.ts'
import { openReadSession } from '../../src/setup/read-session.ts'
import { openSearchIndex } from '../../src/setup/search-index.ts'

const DEFAULTS = {
  crawl: null,
  allowedCrawlIds: null,
  preferredLang: null,
  sort: 'relevance',
  wantsFacets: false,
  explains: false,
  groupsSimilar: true,
} as const

export interface OpenSearch {
  /** The first hits. The API returns at most 100 at a time, but its pages make up the same list. */
  find(text: string, limit: number): Promise<IndexHit[]>
  /** Like `find`, with every match scored. */
  findAmongAll(text: string, limit: number): Promise<IndexHit[]>
  close(): Promise<void>
}

export async function openSearch(storeFlags: string[]): Promise<OpenSearch> {
  const { config } = loadConfig(storeFlags, {}, ['data', 'store', 'search'])
  const session = await openReadSession(config)
  const opened = await openSearchIndex(config, session.pages)
  if (opened === null) throw new Error(`There is no search index in ${config.data}.`)
  const synonyms = readSynonyms(config.synonyms)
  const unlimited = await openUnlimited(config)
  const searchOn = (index: SearchIndex) => {
    const resolveCrawlId = async () => null
    const dependencies = { index, synonyms, languages: new IndexLanguages(Date.now), now: Date.now, resolveCrawlId }
    return async (text: string, limit: number) =>
      (await runSearch({ ...DEFAULTS, text, limit, offset: 0 }, dependencies)).hits
  }
  return {
    find: searchOn(opened.index),
    findAmongAll: searchOn(unlimited.index),
    async close() {
      await unlimited.close()
      await opened.close()
      await session.close()
    },
  }
}

/** More documents than any measured index has. */
const ALL = 2_000_000

async function openUnlimited({ data, store, search }: Config): Promise<{ index: SearchIndex; close(): Promise<void> }> {
  if (store !== null && search !== null) {
    const address = { url: store, search, env: process.env }
    // The engine returns no more hits than this.
    const limits = { ranked: 10_000, counted: ALL }
    const { close, ...index } = await openEngineIndex(address, { clock: systemClock, isClockVirtual: false }, limits)
    return { index, close }
  }
  if (store !== null) {
    const limits = { ranked: ALL, scanned: ALL, counted: ALL, statementMs: 60_000 }
    const { close, ...index } = await openIndex(store, { clock: systemClock, isClockVirtual: false }, limits)
    return { index, close }
  }
  const db = openForReading(data)
  if (db === null) throw new Error(`There is no search index in ${data}.`)
  const limits = { scored: ALL, scoredForLongQuery: ALL, maxScored: ALL, entries: ALL, counted: ALL, scanned: ALL }
  return { index: new SqliteIndex(db, Date.now, limits), close: async () => db.close() }
}
