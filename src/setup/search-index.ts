// Opens the search index of a store, for searching or for indexing.

import { readAtSync } from '../archive/segment-files.ts'
import type { ReadSession } from '../cli/io.ts'
import { divideMemory } from '../config/memory-budget.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { type ServiceThread, startServiceThread } from '../lib/service-thread.ts'
import type { IndexFeed } from '../ports/index-feed.ts'
import type { Pages } from '../ports/pages.ts'
import type { Revisits } from '../ports/revisits.ts'
import type { VersionConsumer } from '../ports/versions.ts'
import { Analyser } from '../search/analyse/analyser.ts'
import { loadEntityFinder } from '../search/analyse/entity-finder.ts'
import { loadLanguageDetector } from '../search/analyse/language-identifier.ts'
import { Indexer } from '../search/indexer/indexer.ts'
import type { EngineAddress } from '../search/opensearch/open.ts'
import { hasIndex, openForWriting } from '../search/sqlite/open.ts'
import { type OpenIndex, startSearchThread } from '../search/sqlite/start-search-thread.ts'
import { SqliteFeed } from '../search/sqlite/write/feed.ts'
import type { IndexerThreadSettings } from './indexer-thread.ts'
import { openReadSession } from './read-session.ts'

/** Null if nothing is indexed yet, or only by an older index version. */
export async function openSearchIndex(
  config: Config,
  pages: Pick<Pages, 'listAfter' | 'newestId'>,
): Promise<OpenIndex | null> {
  const engine = engineAddress(config)
  if (engine !== null) {
    const { openEngineIndex } = await import('../search/opensearch/open.ts')
    const { close, ...index } = await openEngineIndex(engine, { clock: systemClock, isClockVirtual: false })
    return { index, close }
  }
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
  reader: ReadSession
  /** Stops soon, also in the middle of a document; the interrupted work is repeated later. */
  stop(): void
  close(): Promise<void>
}

export interface IndexerOptions {
  log: Log
  consumers: VersionConsumer[]
  /** Revisits of the store. */
  revisits: Pick<Revisits, 'saveLinkRanks'>
}

/** Runs in this thread. On a data directory, only the process that has locked it may call this. */
export async function openIndexer(config: Config, { log, consumers, revisits }: IndexerOptions): Promise<OpenIndexer> {
  const readSession = await openReadSession(config, readAtSync)
  try {
    const { feed, close: closeFeed } = await openIndexFeed(config, readSession, log)
    const detectLanguage = await loadLanguageDetector()
    const findEntities = config.indexEntities ? await loadEntityFinder() : null
    const analyser = new Analyser({ detect: detectLanguage, findEntities })
    const reading = { pages: readSession.pages, archive: readSession.archive, readDocument: readSession.readDocument }
    const { crawls, urls } = readSession
    const indexer = new Indexer({ feed, reading, crawls, urls, revisits, analyser, consumers, clock: systemClock, log })
    return {
      indexer,
      feed,
      reader: readSession,
      stop() {
        indexer.stop()
        void readSession.stopDocuments()
      },
      async close() {
        await closeFeed()
        await readSession.close()
      },
    }
  } catch (error) {
    await readSession.close()
    throw error
  }
}

async function openIndexFeed(config: Config, { pages }: ReadSession, log: Log) {
  const options = {
    clock: systemClock,
    isClockVirtual: false,
    random: Math.random,
    onOutage: (problem: string | null) => log(problem === null ? 'store back' : 'store away', { message: problem }),
  }
  const engine = engineAddress(config)
  if (engine !== null) {
    const { openEngineFeed } = await import('../search/opensearch/open.ts')
    return openEngineFeed(engine, options)
  }
  if (config.store === null) {
    const { indexCacheBytes, indexBatchBytes: maxBatchBytes } = divideMemory(config)
    const db = openForWriting(config.data, indexCacheBytes)
    const feed = new SqliteFeed({ db, pages, clock: systemClock, maxBatchBytes })
    return { feed, close: async () => db.close() }
  }
  const { openFeed: openDatabaseFeed } = await import('../search/postgres/open.ts')
  return openDatabaseFeed(config.store, options)
}

/** Null if the index is in the store. */
function engineAddress({ search, store }: Config): EngineAddress | null {
  if (search === null) return null
  if (store !== null) return { url: store, search, env: process.env }
  throw new AppError(
    'BAD_CONFIG',
    '--search needs a store in Postgres: name it with --store. A data directory has an index of its own.',
  )
}

/** Starts a thread with a lower priority than the crawl threads. It writes to the store through `store`. */
export function startIndexerThread(config: Config, store: Pick<ServiceThread, 'connect'>): Promise<ServiceThread> {
  const port = store.connect()
  const settings: IndexerThreadSettings = { config, store: port }
  return startServiceThread('indexer', new URL('./indexer-thread.ts', import.meta.url), settings, [port])
}
