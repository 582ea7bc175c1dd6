// Builds the dependencies of the API handlers from the open store. Heavy reads run on a separate thread, so that commits
// never wait for them; streamed reads run on this thread, in batches.

import { RequestGuard } from '../api/auth/request-guard.ts'
import { TokenCache } from '../api/auth/tokens.ts'
import { CrawlRates } from '../api/background/crawl-rates.ts'
import { CrawlRemover } from '../api/background/crawl-remover.ts'
import { HistoryRecorder } from '../api/background/history-recorder.ts'
import type { ApiDependencies } from '../api/handlers.ts'
import { createCrawlListCache } from '../api/live/crawl-list-cache.ts'
import { notifyingControl, notifyingCrawls, StatusNotifier } from '../api/live/status-notifier.ts'
import { ReplayTokens } from '../api/replay/replay-tokens.ts'
import { ProgressView } from '../api/views/progress-view.ts'
import { divideMemory } from '../config/memory-budget.ts'
import type { Config } from '../config/schema.ts'
import { DemoSite } from '../demo/demo-site.ts'
import { PageCache } from '../engine/pages/page-cache.ts'
import { readArchivedPage } from '../engine/pages/read-archived-page.ts'
import { systemClock } from '../lib/clock.ts'
import type { LogLevel, OpenLog } from '../lib/log.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { IdempotencyKeys, Tokens, Webhooks } from '../ports/access.ts'
import type { Audits } from '../ports/audits.ts'
import type { Browse } from '../ports/browse.ts'
import type { CrawlControl } from '../ports/control.ts'
import type { Crawls } from '../ports/crawls.ts'
import type { Diagnostics } from '../ports/diagnostics.ts'
import type { ExternalCrawlers } from '../ports/external.ts'
import type { CrawlHistory } from '../ports/history.ts'
import type { MonitorHits, Monitors, ProtectedDocuments } from '../ports/monitors.ts'
import type { Policies } from '../ports/policies.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import type { Urls } from '../ports/urls.ts'
import type { Workers } from '../ports/workers.ts'
import { openAuditRunner } from './audit-runner.ts'
import { findRenderProblem, loadFilterLists, openFetcher } from './on-demand.ts'
import { openReadSession } from './read-session.ts'
import { openSearchIndex } from './search-index.ts'
import { openReaderThread, readDamage } from './store.ts'

/** The log service of a database thread. */
interface StoreLogService {
  setLevel(level: LogLevel): Promise<void>
}

export interface ApiInputs {
  config: Config
  version: string
  log: OpenLog
  store: ServiceThread
  /** Why the crawls of this process are on hold, if no other process works on the store. */
  localHoldReason: () => string | null
  needsToken: boolean
  onMemoryPressure: ApiDependencies['onMemoryPressure']
}

export interface ApiResources {
  dependencies: ApiDependencies
  /** The list of all crawls, cached so that concurrent readers share one query. */
  crawlList: Pick<Crawls, 'list'>
  /** Reports changes of crawls made by the handlers. */
  changeNotifier: StatusNotifier
  /** Damage of the store found by any reader of this process; null if none. */
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
  const storedCrawls = service<Crawls>('crawls')
  const changes = new StatusNotifier(storedCrawls, log)
  const crawls = notifyingCrawls(storedCrawls, changes)
  const workers = service<Workers>('workers')
  const tokens = service<Tokens>('tokens')
  const crawlList = createCrawlListCache(crawls, systemClock)
  changes.addListener({ onChanged: async () => crawlList.invalidate(), onRemoved: () => crawlList.invalidate() })
  const crawlRates = new CrawlRates({ crawls, clock: systemClock, log })
  const tokenCache = new TokenCache(tokens, systemClock)
  const demo = new DemoSite(config.data)
  const progressView = new ProgressView({ workers, rates: crawlRates, clock: systemClock, localHoldReason })
  const history = service<CrawlHistory>('history')
  const historyRecorder = new HistoryRecorder({
    crawls: storedCrawls,
    history,
    clock: systemClock,
    log,
    runningCrawls: () => crawlRates.runningCrawls(),
    toJson: (progress) => progressView.progressJson(progress),
  })
  const crawlControl = notifyingControl(service<CrawlControl>('control'), changes)
  const crawlRemover = new CrawlRemover({ control: crawlControl, clock: systemClock, log })
  const auditRunner = openAuditRunner(config, store, log)
  const guardSettings = { needsToken, publicUrl: config.publicUrl, ratePerSecond: config.apiRate }
  const pageCache = new PageCache(divideMemory(config).pageCacheBytes, (version) => readArchivedPage(version, reader))
  onMemoryPressure(() => pageCache.clear())
  const dependencies: ApiDependencies = {
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
    threadUrls: readerThread.client.service<Urls>('urls'),
    diagnostics: reader.diagnostics,
    threadDiagnostics: readerThread.client.service<Diagnostics>('diagnostics'),
    pages: reader.pages,
    changes: reader.changes,
    versionReader: reader,
    robots: service<RobotsCopies>('robots'),
    archive: reader.archive,
    writeTables: reader.writeTables,
    pageCache,
    onMemoryPressure,
    access: {
      tokens,
      webhooks: service<Webhooks>('webhooks'),
      idempotencyKeys: service<IdempotencyKeys>('idempotencyKeys'),
      external: service<ExternalCrawlers>('external'),
    },
    search: search?.index ?? null,
    progressView,
    policies: service<Policies>('policies'),
    history,
    monitors: service<Monitors>('monitors'),
    protectedDocuments: service<ProtectedDocuments>('protectedDocuments'),
    monitorHits: service<MonitorHits>('monitorHits'),
    audits: service<Audits>('audits'),
    auditRunner: auditRunner.runner,
    removals: crawlRemover,
    guard: new RequestGuard(guardSettings, { tokens: tokenCache, clock: systemClock }),
    tokens: tokenCache,
    replayTokens: new ReplayTokens(tokenCache, systemClock),
    loadFilterLists,
    findRenderProblem: async () => (config.roles.includes('worker') ? findRenderProblem(config) : null),
    openFetcher,
    demo: config.store === null && config.roles.includes('worker') ? demo : null,
  }
  crawlRates.start()
  historyRecorder.start()
  crawlRemover.start()
  if (dependencies.demo !== null)
    await demo.startIfCrawled((await storedCrawls.list()).map(({ crawl }) => crawl.rootUrl))
  return {
    dependencies,
    crawlList,
    changeNotifier: changes,
    damage: async () => {
      const found = await Promise.all([readDamage(config, store), readDamage(config, readerThread), reader.damage()])
      return found.find((damage) => damage !== null) ?? null
    },
    async close() {
      crawlRates.stop()
      historyRecorder.stop()
      await crawlRemover.stop()
      await auditRunner.close()
      await demo.close()
      await search?.close()
      await readerThread.close()
      await reader.close()
    },
  }
}
