// What the handlers of the API need, made from the open store. Heavy reads go to a thread of their own, so that the one
// that commits never waits for them; what comes in streams is read here, in pieces.

import { RequestGuard } from '../api/auth/request-guard.ts'
import { TokenCache } from '../api/auth/tokens.ts'
import { CrawlRates } from '../api/background/crawl-rates.ts'
import { CrawlRemover } from '../api/background/crawl-remover.ts'
import { HistoryRecorder } from '../api/background/history-recorder.ts'
import type { ApiDependencies } from '../api/handlers.ts'
import { ChangeNotifier, notifyingControl, notifyingCrawls } from '../api/live/change-notifier.ts'
import { createCrawlListCache } from '../api/live/crawl-list-cache.ts'
import { ProgressView } from '../api/views/progress-view.ts'
import { divideMemory } from '../config/memory-budget.ts'
import type { Config } from '../config/schema.ts'
import { DemoSite } from '../demo/demo-site.ts'
import { PageCache } from '../engine/pages/page-cache.ts'
import { readPage } from '../engine/pages/read-page.ts'
import { systemClock } from '../lib/clock.ts'
import type { LogLevel, OpenLog } from '../lib/log.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { IdempotencyKeys, Tokens, Webhooks } from '../ports/access.ts'
import type { Browse } from '../ports/browse.ts'
import type { CrawlControl } from '../ports/control.ts'
import type { Crawls } from '../ports/crawls.ts'
import type { Diagnostics } from '../ports/diagnostics.ts'
import type { ExternalCrawlers } from '../ports/external.ts'
import type { CrawlHistory } from '../ports/history.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import type { Workers } from '../ports/workers.ts'
import { openReadSession } from './read-session.ts'
import { openSearchIndex } from './search-index.ts'
import { openReaderThread, readDamage } from './store.ts'

/** What the thread of a database offers beside the store. */
interface StoreLogService {
  setLevel(level: LogLevel): Promise<void>
}

export interface ApiInputs {
  config: Config
  version: string
  log: OpenLog
  store: ServiceThread
  /** Why the crawls of this process stand still, if no other works on the store. */
  localHoldReason: () => string | null
  needsToken: boolean
  onMemoryPressure: ApiDependencies['onMemoryPressure']
}

export interface ApiResources {
  dependencies: ApiDependencies
  /** One reading of all crawls for everybody who looks at the same time. */
  crawlList: Pick<Crawls, 'list'>
  /** Of crawls, that the handlers make. */
  changeNotifier: ChangeNotifier
  /** What was found to be damaged in the store by anything that reads it here, if so. */
  damage(): Promise<string | null>
  close(): Promise<void>
}

export async function openApiResources({
  config,
  version,
  log,
  store,
  needsToken,
  localHoldReason,
  onMemoryPressure,
}: ApiInputs): Promise<ApiResources> {
  const service = <T extends object>(name: string) => store.client.service<T>(name)
  const [reader, readerThread] = [await openReadSession(config), await openReaderThread(config)]
  const search = await openSearchIndex(config, reader.pages)
  const stored = service<Crawls>('crawls')
  const changes = new ChangeNotifier(stored, log)
  const crawls = notifyingCrawls(stored, changes)
  const workers = service<Workers>('workers')
  const tokens = service<Tokens>('tokens')
  const listed = createCrawlListCache(crawls, systemClock)
  changes.addListener({ onChanged: async () => listed.invalidate(), onRemoved: () => listed.invalidate() })
  const crawlRates = new CrawlRates({ crawls, clock: systemClock, log })
  const book = new TokenCache(tokens, systemClock)
  const demo = new DemoSite()
  const teller = new ProgressView({ workers, rates: crawlRates, clock: systemClock, localHoldReason })
  const history = service<CrawlHistory>('history')
  const watch = new HistoryRecorder({
    ...{ crawls: stored, history, clock: systemClock, log },
    runningCrawls: () => crawlRates.runningCrawls(),
    toJson: (progress) => teller.progressJson(progress),
  })
  const crawlControl = notifyingControl(service<CrawlControl>('control'), changes)
  const crawlRemover = new CrawlRemover({ control: crawlControl, clock: systemClock, log })
  const guardSettings = { needsToken, publicUrl: config.publicUrl, ratePerSecond: config.apiRate }
  const pageCache = new PageCache(divideMemory(config).pageCacheBytes, (version) => readPage(version, reader))
  onMemoryPressure(() => pageCache.clear())
  const parts: ApiDependencies = {
    version,
    config,
    clock: systemClock,
    log,
    async setStoreLogLevel(level) {
      if (config.store !== null) await service<StoreLogService>('log').setLevel(level)
    },
    crawls,
    control: crawlControl,
    workers,
    browse: readerThread.client.service<Browse>('browse'),
    urls: reader.urls,
    diagnostics: reader.diagnostics,
    threadDiagnostics: readerThread.client.service<Diagnostics>('diagnostics'),
    pages: reader.pages,
    robots: service<RobotsCopies>('robots'),
    archive: reader.archive,
    pageCache,
    onMemoryPressure,
    access: {
      tokens,
      webhooks: service<Webhooks>('webhooks'),
      idempotencyKeys: service<IdempotencyKeys>('idempotencyKeys'),
      external: service<ExternalCrawlers>('external'),
    },
    search: search?.index ?? null,
    progressView: teller,
    history,
    removals: crawlRemover,
    guard: new RequestGuard(guardSettings, { tokens: book, clock: systemClock }),
    tokens: book,
    async loadFilterLists(files) {
      const { loadFilterFiles } = await import('../worker/threads/build-fetcher.ts')
      return loadFilterFiles(files)
    },
    async openFetcher(settings, startUrls) {
      const { buildFetcher } = await import('../worker/threads/build-fetcher.ts')
      return buildFetcher(settings, startUrls)
    },
    demo: config.store === null && config.roles.includes('worker') ? demo : null,
  }
  crawlRates.start()
  watch.start()
  crawlRemover.start()
  if (parts.demo !== null) await demo.startIfCrawled((await stored.list()).map(({ crawl }) => crawl.rootUrl))
  return {
    dependencies: parts,
    crawlList: listed,
    changeNotifier: changes,
    damage: async () => {
      const found = await Promise.all([readDamage(config, store), readDamage(config, readerThread), reader.damage()])
      return found.find((damage) => damage !== null) ?? null
    },
    async close() {
      crawlRates.stop()
      watch.stop()
      await crawlRemover.stop()
      await demo.close()
      await search?.close()
      await readerThread.close()
      await reader.close()
    },
  }
}
