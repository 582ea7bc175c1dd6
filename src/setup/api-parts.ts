// What the handlers of the API need, made from the open store. Heavy reads go to a thread of their own, so that the one
// that commits never waits for them; what comes in streams is read here, in pieces.

import { HistoryWatch } from '../api/answers/history.ts'
import { Pace } from '../api/answers/pace.ts'
import { ProgressTeller } from '../api/answers/progress.ts'
import { Guard } from '../api/guard/guard.ts'
import { TokenBook } from '../api/guard/tokens.ts'
import type { ApiParts } from '../api/handlers.ts'
import { shareList } from '../api/live/shared-list.ts'
import { ChangeTeller, tellingCrawls, tellingSteering } from '../api/live/tell-changes.ts'
import { Removals } from '../api/removals.ts'
import { divideMemory } from '../config/memory.ts'
import type { Config } from '../config/schema.ts'
import { DemoSite } from '../demo/start.ts'
import { PageCache } from '../engine/pages/cache.ts'
import { readPage } from '../engine/pages/read.ts'
import { systemClock } from '../lib/clock.ts'
import type { Level, OpenLog } from '../lib/log.ts'
import type { ServiceThread } from '../lib/service-thread.ts'
import type { KnownRequests, Tokens, Webhooks } from '../ports/access.ts'
import type { Browse } from '../ports/browse.ts'
import type { Crawls } from '../ports/crawls.ts'
import type { Histories } from '../ports/history.ts'
import type { Manners } from '../ports/manners.ts'
import type { Outside } from '../ports/outside.ts'
import type { RobotsCopies } from '../ports/robots.ts'
import type { Steering } from '../ports/steering.ts'
import type { Workers } from '../ports/workers.ts'
import { openReader } from './reader.ts'
import { openSearch } from './search.ts'
import { damageOf, openReaderThread } from './store.ts'

/** What the thread of a database offers beside the store. */
interface StoreLog {
  setLevel(level: Level): Promise<void>
}

export interface PartsSource {
  config: Config
  version: string
  log: OpenLog
  store: ServiceThread
  /** Why the crawls of this process stand still, if no other works on the store. */
  heldHere: () => string | null
  needsToken: boolean
  onMemoryShort: ApiParts['onMemoryShort']
}

export interface OpenParts {
  parts: ApiParts
  /** One reading of all crawls for everybody who looks at the same time. */
  listed: Pick<Crawls, 'list'>
  /** Of crawls, that the handlers make. */
  changes: ChangeTeller
  /** What was found to be damaged in the store by anything that reads it here, if so. */
  damage(): Promise<string | null>
  close(): Promise<void>
}

export async function openApiParts({
  config,
  version,
  log,
  store,
  needsToken,
  heldHere,
  onMemoryShort,
}: PartsSource): Promise<OpenParts> {
  const service = <T extends object>(name: string) => store.client.service<T>(name)
  const [reader, readerThread] = [await openReader(config), await openReaderThread(config)]
  const search = await openSearch(config, reader.pages)
  const stored = service<Crawls>('crawls')
  const changes = new ChangeTeller(stored, log)
  const crawls = tellingCrawls(stored, changes)
  const workers = service<Workers>('workers')
  const tokens = service<Tokens>('tokens')
  const listed = shareList(crawls, systemClock)
  changes.add({ changed: async () => listed.forget(), removed: () => listed.forget() })
  const pace = new Pace({ crawls, clock: systemClock, log })
  const book = new TokenBook(tokens, systemClock)
  const demo = new DemoSite()
  const teller = new ProgressTeller({ workers, pace, clock: systemClock, heldHere })
  const history = service<Histories>('history')
  const watch = new HistoryWatch({
    ...{ crawls: stored, history, clock: systemClock, log },
    running: () => pace.running(),
    tell: (progress) => teller.tell(progress),
  })
  const steering = tellingSteering(service<Steering>('steering'), changes)
  const removals = new Removals({ steering, clock: systemClock, log })
  const guardSettings = { needsToken, publicUrl: config.publicUrl, ratePerSecond: config.apiRate }
  const pageCache = new PageCache(divideMemory(config).pageCacheBytes, (version) => readPage(version, reader))
  onMemoryShort(() => pageCache.clear())
  const parts: ApiParts = {
    version,
    config,
    clock: systemClock,
    log,
    async setStoreLogLevel(level) {
      if (config.store !== null) await service<StoreLog>('log').setLevel(level)
    },
    crawls,
    steering,
    workers,
    browse: readerThread.client.service<Browse>('browse'),
    urls: reader.urls,
    manners: reader.manners,
    measures: readerThread.client.service<Manners>('manners'),
    pages: reader.pages,
    robots: service<RobotsCopies>('robots'),
    archive: reader.archive,
    pageCache,
    onMemoryShort,
    access: {
      tokens,
      webhooks: service<Webhooks>('webhooks'),
      known: service<KnownRequests>('known'),
      outside: service<Outside>('outside'),
    },
    search: search?.index ?? null,
    teller,
    history,
    removals,
    guard: new Guard(guardSettings, { tokens: book, clock: systemClock }),
    tokens: book,
    async loadFilterLists(files) {
      const { readFilterLists } = await import('../worker/build.ts')
      return readFilterLists(files)
    },
    async openFetcher(settings, startUrls) {
      const { buildFetcher } = await import('../worker/build.ts')
      return buildFetcher(settings, startUrls)
    },
    demo: config.store === null && config.roles.includes('worker') ? demo : null,
  }
  pace.start()
  watch.start()
  removals.start()
  if (parts.demo !== null) await demo.startAgain((await stored.list()).map(({ crawl }) => crawl.rootUrl))
  return {
    parts,
    listed,
    changes,
    damage: async () => {
      const found = await Promise.all([damageOf(config, store), damageOf(config, readerThread), reader.damage()])
      return found.find((damage) => damage !== null) ?? null
    },
    async close() {
      pace.stop()
      watch.stop()
      await removals.stop()
      await demo.close()
      await search?.close()
      await readerThread.close()
      await reader.close()
    },
  }
}
