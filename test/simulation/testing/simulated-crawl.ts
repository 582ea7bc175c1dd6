// Runs crawl loops on a real store in virtual time, over a web that the test defines.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { assembleLoop } from '../../../src/engine/crawl/assemble-loop.ts'
import type { CrawlLoop } from '../../../src/engine/crawl/loop/crawl-loop.ts'
import { toSeeds } from '../../../src/engine/crawl/plan/seeds.ts'
import { ChunkPool } from '../../../src/engine/crawl/report/response-batch.ts'
import { NO_STEP_RECORDER } from '../../../src/engine/crawl/testing/no-step-recorder.ts'
import type { DocumentReaders } from '../../../src/engine/crawl/visit/document-queue.ts'
import { newRateCell, type SharedRate } from '../../../src/engine/politeness/throttle.ts'
import { type Log, silentLog } from '../../../src/lib/log.ts'
import type { ArchiveWriter } from '../../../src/ports/archive.ts'
import { TEST_SETTINGS, type TestStore } from '../../../src/ports/contracts/testing/store-harness.ts'
import type { CrawlSettings } from '../../../src/ports/crawls.ts'
import type { LoopFrontier } from '../../../src/ports/frontier.ts'
import type { LeasedUrl } from '../../../src/ports/leases.ts'
import { makeTestStore } from '../../../src/store/testing/sqlite-test-store.ts'
import { BlockableClock } from './blockable-clock.ts'
import { NO_DOCUMENTS } from './no-documents.ts'
import { runInVirtualTime, type VirtualPage, VirtualWeb } from './virtual-web.ts'

const SEED = 'http://a.test/0'
export const HOST = 'a.test'

/** Page n links to 2n+1 and 2n+2: a tree of `size` pages. */
export function makeTreeSite(size: number, latencyMs = 20): (url: string) => VirtualPage {
  return (url) => {
    const n = Number(new URL(url).pathname.slice(1))
    const links = [2 * n + 1, 2 * n + 2].filter((child) => child < size).map((child) => `/${child}`)
    return { links, latencyMs }
  }
}

interface SimulationOptions {
  /** Replaces the archive, for a crawl that archives its responses. */
  append?: ArchiveWriter['append']
  seeds?: string[]
  /** Shared by all crawls that get the same one. */
  workerRate?: SharedRate
  /** Address of a URL; by default, each host has its own. */
  addressFor?: (url: string) => string
  log?: Log
  /** Processing a page whose URL ends with `path` blocks the thread for `ms`. */
  busyOn?: { path: string; ms: number }
  /** Replaces the document readers. */
  readers?: (clock: TestStore['clock']) => DocumentReaders
  /** Called before the loops run, to set timers. */
  onStart?: (loops: CrawlLoop[], store: TestStore, crawlId: string) => void
}

export type PageResponder = (url: string, now: number) => VirtualPage

export async function simulateCrawl(
  t: TestContext,
  pageResponder: PageResponder,
  { seeds = [SEED], addressFor, onStart, ...changes }: Partial<CrawlSettings> & SimulationOptions = {},
  loops = 1,
) {
  const { store, web, clock, startedAt } = openSimulation(t, pageResponder, addressFor)
  const { crawl, running, leaseCalls } = await startLoops({ store, web, clock }, { seeds, ...changes }, loops)
  onStart?.(running, store, crawl.id)
  const ends = await runInVirtualTime(store.clock, Promise.all(running.map((loop) => loop.run())))
  assert.deepEqual(await store.urls.verify(crawl.id), [])
  const pages = running.map((loop) => loop.monitor.stats.requests)
  const rows = await Array.fromAsync(store.urls.rows(crawl.id))
  const progress = await store.crawls.progress(crawl.id)
  const tookMs = store.clock.now() - startedAt
  const hasUrlsInFlight = running.map((loop) => loop.hasUrlsInFlight)
  return { store, crawlId: crawl.id, web, ends, hasUrlsInFlight, leaseCalls, pages, rows, progress, tookMs, startedAt }
}

/** Runs several crawls at the same time, one loop each; returns when each ended. */
export async function simulateCrawls(
  t: TestContext,
  pageResponder: PageResponder,
  crawls: (Partial<CrawlSettings> & SimulationOptions)[],
) {
  const { store, web, clock, startedAt } = openSimulation(t, pageResponder)
  const ended: number[] = []
  const runs = await Promise.all(
    crawls.map(async ({ seeds = [SEED], ...changes }, i) => {
      const { crawl, running } = await startLoops({ store, web, clock }, { seeds, ...changes }, 1, `crawl${i}`)
      return { crawl, running }
    }),
  )
  const ends = runs.map(async ({ running }, i) => {
    await Promise.all(running.map((loop) => loop.run()))
    ended[i] = store.clock.now()
  })
  await runInVirtualTime(store.clock, Promise.all(ends))
  for (const { crawl } of runs) assert.deepEqual(await store.urls.verify(crawl.id), [])
  return { web, ended, startedAt }
}

function openSimulation(t: TestContext, pageResponder: PageResponder, addressFor?: (url: string) => string) {
  const store: TestStore = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  t.after(() => store.close())
  const startedAt = store.clock.now()
  const clock = new BlockableClock(store.clock)
  const web = new VirtualWeb(clock, (url) => pageResponder(url, store.clock.now() - startedAt), addressFor)
  return { store, web, clock, startedAt }
}

interface LoopOptions extends Pick<SimulationOptions, 'append' | 'workerRate' | 'log' | 'readers' | 'busyOn'> {
  seeds: string[]
}

const UNLIMITED_RATE: SharedRate = { perSecond: null, cell: newRateCell() }
const ARCHIVES_NOTHING = () => assert.fail('nothing should be archived')

async function startLoops(
  { store, web, clock }: { store: TestStore; web: VirtualWeb; clock: BlockableClock },
  { seeds, readers, busyOn, ...scene }: Partial<CrawlSettings> & LoopOptions,
  loops: number,
  name = 'w',
) {
  const { append = ARCHIVES_NOTHING, workerRate = UNLIMITED_RATE, log = silentLog, ...changes } = scene
  const documents = readers?.(store.clock) ?? NO_DOCUMENTS
  const settings = { ...TEST_SETTINGS, ignoreRobots: true, concurrency: 16, traps: false, ...changes }
  const crawl = await store.crawls.create({ seeds: toSeeds(seeds, 1), settings, keySeed: 1 })
  const leaseCalls: number[] = []
  const begin = (_: number, { url }: LeasedUrl) => {
    if (busyOn !== undefined && url.endsWith(busyOn.path)) clock.block(busyOn.ms)
  }
  const stepNote = { ...NO_STEP_RECORDER, begin }
  const rates = [{ perSecond: settings.maxRate, cell: newRateCell() }, workerRate]
  const running = Array.from({ length: loops }, (_, i) => {
    leaseCalls[i] = 0
    const frontier: LoopFrontier = {
      commit: (batch) => store.frontier.commit(batch),
      renew: (tokens) => store.frontier.renew(tokens),
      waitForWork: (ms, onHeard) => store.frontier.waitForWork(ms, onHeard),
      lease(request) {
        leaseCalls[i] = (leaseCalls[i] ?? 0) + 1
        return store.frontier.lease(request)
      },
    }
    const limits = {
      threadId: `${name}${i}`,
      workerId: name,
      concurrency: settings.concurrency / loops,
      slotsPerHost: Math.ceil(settings.perHost / loops),
      perIp: settings.perIp,
      rates,
      seenUrls: 1000,
      leaseMs: store.leaseMs,
      pollMinMs: 100,
      pollMaxMs: 30_000,
    }
    const { robots, contents } = store
    return assembleLoop(crawl, limits, {
      frontier,
      robots,
      contents,
      archive: { append },
      chunkPool: new ChunkPool(),
      fetcher: web,
      documents,
      renderer: null,
      extractor: null,
      hooks: null,
      filters: null,
      clock,
      random: () => 0.5,
      log,
      stepRecorder: stepNote,
    })
  })
  return { crawl, running, leaseCalls }
}
