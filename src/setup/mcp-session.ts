// The routes that MCP tools call, on the store of this machine. Without --allow-crawl the store is only read, so that
// other commands can use it meanwhile.

import { setTimeout as sleep } from 'node:timers/promises'
import { CrawlRates } from '../api/background/crawl-rates.ts'
import type { ApiDependencies } from '../api/handlers.ts'
import { localCaller } from '../api/local-caller.ts'
import { createLocalClient } from '../api/local-client.ts'
import { controlHandlers } from '../api/routes/control.ts'
import { crawlHandlers } from '../api/routes/crawls.ts'
import { urlHandlers } from '../api/routes/urls.ts'
import { ProgressView } from '../api/views/progress-view.ts'
import type { ReadSession } from '../cli/io.ts'
import { storeHandlers } from '../cli/read-client/store-handlers.ts'
import { divideMemory } from '../config/memory-budget.ts'
import type { Config } from '../config/schema.ts'
import { PageCache } from '../engine/pages/page-cache.ts'
import { readArchivedPage } from '../engine/pages/read-archived-page.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { type OpenLog, openLog } from '../lib/log.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { OpenIndex } from '../search/sqlite/start-search-thread.ts'
import { type CrawlingStore, openCrawlingStore } from './mcp-worker.ts'
import { findRenderProblem, loadFilterLists, openFetcher } from './on-demand.ts'
import { openReadSession } from './read-session.ts'
import { openSearchIndex } from './search-index.ts'

export interface McpSession {
  client: McpClient
  close(): Promise<void>
}

export async function openMcpSession(config: Config, version: string): Promise<McpSession> {
  const log = openLog(process.stderr, systemClock.now, { format: config.logFormat, level: config.logLevel })
  const store = config.allowCrawl ? await openCrawlingStore(config, log) : null
  const reader = await openReadSession(config)
  const search = await waitForIndex(config, reader, store)
  const dependencies = makeDependencies({ config, version, log, store, reader, search })
  const handlers = {
    ...storeHandlers({
      config,
      session: reader,
      readPage: (version) => dependencies.pageCache.read(version),
      openIndex: async () => search?.index ?? null,
      loadFilterLists,
    }),
    ...urlHandlers(dependencies),
    ...crawlHandlers(dependencies),
    ...controlHandlers(dependencies),
  }
  return {
    client: createLocalClient(handlers, localCaller(store === null ? 'read' : 'crawl')),
    async close() {
      await search?.close()
      await reader.close()
      await store?.close()
    },
  }
}

const INDEX_RETRY_MS = 100
const INDEX_WAIT_MS = 30_000

/** An indexer that has just been started creates the index soon. */
async function waitForIndex(
  config: Config,
  { pages }: ReadSession,
  store: CrawlingStore | null,
): Promise<OpenIndex | null> {
  for (let waitedMs = 0; ; waitedMs += INDEX_RETRY_MS) {
    const index = await openSearchIndex(config, pages)
    if (index !== null || store?.hasOwnWorker !== true || waitedMs >= INDEX_WAIT_MS) return index
    await sleep(INDEX_RETRY_MS)
  }
}

interface SessionParts {
  config: Config
  version: string
  log: OpenLog
  store: CrawlingStore | null
  reader: ReadSession
  search: OpenIndex | null
}

function makeDependencies({ config, version, log, store, reader, search }: SessionParts): ApiDependencies {
  /** A service of the store, or its readable part. */
  const service = <T extends object>(name: string, readable: Partial<T> = {}): T =>
    store === null ? readOnlyService(readable) : store.client.service<T>(name)
  const crawls = service<ApiDependencies['crawls']>('crawls', reader.crawls)
  const workers = service<ApiDependencies['workers']>('workers', reader.workers)
  const clock = systemClock
  const rates = new CrawlRates({ crawls, clock, log })
  const pageCache = new PageCache(divideMemory(config).pageCacheBytes, (page) => readArchivedPage(page, reader))
  return {
    version,
    config,
    clock,
    log,
    setStoreLogLevel: async () => undefined,
    crawls,
    control: service('control'),
    cookies: service('cookies'),
    workers,
    browse: reader.browse,
    urls: reader.urls,
    threadUrls: reader.urls,
    diagnostics: reader.diagnostics,
    threadDiagnostics: reader.diagnostics,
    pages: reader.pages,
    changes: reader.changes,
    versionReader: reader,
    robots: service<ApiDependencies['robots']>('robots', reader.robots),
    archive: reader.archive,
    writeTables: reader.writeTables,
    pageCache,
    access: readOnlyService(),
    onMemoryPressure: () => undefined,
    search: search?.index ?? null,
    progressView: new ProgressView({ workers, rates, clock, localHoldReason: () => null }),
    policies: service<ApiDependencies['policies']>('policies', reader.policies),
    history: service('history'),
    monitors: service('monitors'),
    protectedDocuments: service('protectedDocuments'),
    monitorHits: service('monitorHits'),
    audits: service('audits'),
    auditRunner: readOnlyService(),
    removals: readOnlyService(),
    guard: readOnlyService(),
    tokens: readOnlyService(),
    replayTokens: readOnlyService(),
    loadFilterLists,
    findRenderProblem: () => findRenderProblem(config),
    openFetcher,
    demo: null,
  }
}

/** Refuses everything that cannot be read. The routes of these methods need a scope that this session does not have. */
function readOnlyService<T extends object>(readable: Partial<T> = {}): T {
  return new Proxy(readable, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'function') return value.bind(target)
      return () => {
        throw new AppError('SCOPE_MISSING', 'The store was opened for reading. Start "mcp" with --allow-crawl.')
      }
    },
  }) as T
}
