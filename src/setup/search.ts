// The search index of a store: open for searching, and open for being filled.

import type { Reader } from '../cli/io.ts'
import { divideMemory } from '../config/memory.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type ServiceThread, startServiceThread } from '../lib/service-thread.ts'
import type { Pages } from '../ports/pages.ts'
import type { IndexFeed } from '../ports/search.ts'
import { Analyser } from '../search/analyse/analyse.ts'
import { loadEntityFinder } from '../search/analyse/entities.ts'
import { loadDetector } from '../search/analyse/language.ts'
import { Indexer } from '../search/indexer/loop.ts'
import { SqliteFeed } from '../search/sqlite/feed.ts'
import { hasIndex, openForWriting } from '../search/sqlite/open.ts'
import { type OpenIndex, startSearchThread } from '../search/sqlite/remote.ts'
import { openReader } from './reader.ts'

/** Null when nothing was ever indexed, or only in a way of before. */
export async function openSearch(config: Config, pages: Pick<Pages, 'after' | 'newestId'>): Promise<OpenIndex | null> {
  if (config.store === null) {
    if (!hasIndex(config.data)) return null
    const settings = { dir: config.data, cacheBytes: divideMemory(config).searchCacheBytes }
    return startSearchThread(settings, pages, () => systemClock.now())
  }
  const { openIndex } = await import('../search/postgres/open.ts')
  const { close, ...index } = await openIndex(config.store, { clock: systemClock, isClockVirtual: false })
  return { index, close }
}

export interface OpenIndexer {
  indexer: Indexer
  feed: IndexFeed
  reader: Reader
  /** Ends it soon, whatever it reads; what it was at comes again. */
  stop(): void
  close(): Promise<void>
}

/** In this thread. On a data directory only for the process that owns it. */
export async function openIndexer(config: Config, log: Log): Promise<OpenIndexer> {
  const reader = await openReader(config)
  try {
    const { feed, close: closeFeed } = await openFeed(config, reader, log)
    const detect = await loadDetector()
    const findEntities = config.indexEntities ? await loadEntityFinder() : null
    const analyser = new Analyser({ detect, findEntities })
    const reading = { pages: reader.pages, archive: reader.archive, readDocument: reader.readDocument }
    const { crawls, urls } = reader
    const indexer = new Indexer({ feed, reading, crawls, urls, analyser, clock: systemClock, log })
    return {
      indexer,
      feed,
      reader,
      stop() {
        indexer.stop()
        void reader.stopDocuments()
      },
      async close() {
        await closeFeed()
        await reader.close()
      },
    }
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function openFeed(config: Config, { pages }: Reader, log: Log) {
  if (config.store === null) {
    const { indexCacheBytes, indexBatchBytes: maxBatchBytes } = divideMemory(config)
    const db = openForWriting(config.data, indexCacheBytes)
    const feed = new SqliteFeed({ db, pages, clock: systemClock, maxBatchBytes })
    return { feed, close: async () => db.close() }
  }
  const { openFeed: openDatabaseFeed } = await import('../search/postgres/open.ts')
  return openDatabaseFeed(config.store, {
    clock: systemClock,
    isClockVirtual: false,
    random: Math.random,
    onAway: (problem) => log(problem === null ? 'store back' : 'store away', { message: problem }),
  })
}

/** In a thread of its own, which steps back behind those that crawl. */
export function startIndexerThread(config: Config): Promise<ServiceThread> {
  return startServiceThread('indexer', new URL('./indexer-thread.ts', import.meta.url), config)
}
