// Runs crawl loops on a real store, in virtual time, over a web that the test makes up.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { assembleLoop } from '../../src/engine/crawl/assemble.ts'
import type { DocumentReaders } from '../../src/engine/crawl/document-queue.ts'
import { NO_STEP_NOTE } from '../../src/engine/crawl/fixture.step-note.ts'
import type { CrawlLoop } from '../../src/engine/crawl/loop.ts'
import { toSeeds } from '../../src/engine/crawl/seeds.ts'
import { newRateCell, type Rate } from '../../src/engine/politeness/throttle.ts'
import { type Log, quietLog } from '../../src/lib/log.ts'
import type { ArchiveWriter } from '../../src/ports/archive.ts'
import type { CrawlSettings } from '../../src/ports/crawls.ts'
import type { LeasedUrl, LoopFrontier } from '../../src/ports/frontier.ts'
import { SETTINGS, type TestStore } from '../../src/ports/store.contract.ts'
import { makeTestStore } from '../../src/store/sqlite/test-store.ts'
import { BlockableClock } from './blockable-clock.ts'
import { NO_DOCUMENTS } from './no-documents.ts'
import { inVirtualTime, type VirtualPage, VirtualWeb } from './virtual-web.ts'

const SEED = 'http://a.test/0'
export const HOST = 'a.test'

/** Page n links to 2n+1 and 2n+2: a tree of `size` pages. */
export function tree(size: number, latencyMs = 20): (url: string) => VirtualPage {
  return (url) => {
    const n = Number(new URL(url).pathname.slice(1))
    const links = [2 * n + 1, 2 * n + 2].filter((child) => child < size).map((child) => `/${child}`)
    return { links, latencyMs }
  }
}

interface Scene {
  /** In place of an archive, for a crawl that keeps its answers. */
  append?: ArchiveWriter['append']
  seeds?: string[]
  /** Of all crawls that are given the same. */
  workerRate?: Rate
  /** Each host has its own unless told otherwise. */
  addressFor?: (url: string) => string
  log?: Log
  /** Reading a page whose url ends so keeps the thread busy for so long. */
  busyOn?: { path: string; ms: number }
  /** In place of document readers. */
  readers?: (clock: TestStore['clock']) => DocumentReaders
  /** Called before the loops run, to set timers. */
  onStart?: (loops: CrawlLoop[], store: TestStore, crawlId: string) => void
}

export type Answer = (url: string, now: number) => VirtualPage

export async function crawl(
  t: TestContext,
  answer: Answer,
  { seeds = [SEED], addressFor, onStart, ...changes }: Partial<CrawlSettings> & Scene = {},
  loops = 1,
) {
  const { store, web, clock, startedAt } = openWorld(t, answer, addressFor)
  const { made, running, leaseCalls } = await start({ store, web, clock }, { seeds, ...changes }, loops)
  onStart?.(running, store, made.id)
  const ends = await inVirtualTime(store.clock, Promise.all(running.map((loop) => loop.run())))
  assert.deepEqual(await store.urls.audit(made.id), [])
  const pages = running.map((loop) => loop.stats.pages)
  const rows = await Array.fromAsync(store.urls.rows(made.id))
  const progress = await store.crawls.progress(made.id)
  const tookMs = store.clock.now() - startedAt
  return { store, crawlId: made.id, web, ends, leaseCalls, pages, rows, progress, tookMs, startedAt }
}

/** Several crawls at the same time, one loop each; answers when each was over. */
export async function crawlTogether(t: TestContext, answer: Answer, crawls: (Partial<CrawlSettings> & Scene)[]) {
  const { store, web, clock, startedAt } = openWorld(t, answer)
  const ended: number[] = []
  const runs = await Promise.all(
    crawls.map(async ({ seeds = [SEED], ...changes }, i) => {
      const { made, running } = await start({ store, web, clock }, { seeds, ...changes }, 1, `crawl${i}`)
      return { made, running }
    }),
  )
  const ends = runs.map(async ({ running }, i) => {
    await Promise.all(running.map((loop) => loop.run()))
    ended[i] = store.clock.now()
  })
  await inVirtualTime(store.clock, Promise.all(ends))
  for (const { made } of runs) assert.deepEqual(await store.urls.audit(made.id), [])
  return { web, ended, startedAt }
}

function openWorld(t: TestContext, answer: Answer, addressFor?: (url: string) => string) {
  const store: TestStore = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  t.after(() => store.close())
  const startedAt = store.clock.now()
  const clock = new BlockableClock(store.clock)
  const web = new VirtualWeb(clock, (url) => answer(url, store.clock.now() - startedAt), addressFor)
  return { store, web, clock, startedAt }
}

interface Started extends Pick<Scene, 'append' | 'workerRate' | 'log' | 'readers' | 'busyOn'> {
  seeds: string[]
}

const NO_RATE: Rate = { perSecond: null, cell: newRateCell() }
const KEEPS_NOTHING = () => assert.fail('nothing is to be kept')

async function start(
  { store, web, clock }: { store: TestStore; web: VirtualWeb; clock: BlockableClock },
  { seeds, readers, busyOn, ...scene }: Partial<CrawlSettings> & Started,
  loops: number,
  name = 'w',
) {
  const { append = KEEPS_NOTHING, workerRate = NO_RATE, log = quietLog, ...changes } = scene
  const documents = readers?.(store.clock) ?? NO_DOCUMENTS
  const settings = { ...SETTINGS, ignoreRobots: true, concurrency: 16, traps: false, ...changes }
  const made = await store.crawls.create({ seeds: toSeeds(seeds, 1), settings, keySeed: 1 })
  const leaseCalls: number[] = []
  const begin = (_: number, { url }: LeasedUrl) => {
    if (busyOn !== undefined && url.endsWith(busyOn.path)) clock.block(busyOn.ms)
  }
  const stepNote = { ...NO_STEP_NOTE, begin }
  const rates = [{ perSecond: settings.maxRate, cell: newRateCell() }, workerRate]
  const running = Array.from({ length: loops }, (_, i) => {
    leaseCalls[i] = 0
    const frontier: LoopFrontier = {
      commit: (batch) => store.frontier.commit(batch),
      renew: (tokens) => store.frontier.renew(tokens),
      waitForWork: (ms, heard) => store.frontier.waitForWork(ms, heard),
      lease(request) {
        leaseCalls[i] = (leaseCalls[i] ?? 0) + 1
        return store.frontier.lease(request)
      },
    }
    const share = {
      workerId: `${name}${i}`,
      worker: name,
      concurrency: settings.concurrency / loops,
      slotsPerHost: Math.ceil(settings.perHost / loops),
      perIp: settings.perIp,
      rates,
      seenUrls: 1000,
      leaseMs: store.leaseMs,
    }
    const { robots, contents } = store
    return assembleLoop(made, share, {
      frontier,
      robots,
      contents,
      archive: { append },
      fetcher: web,
      documents,
      filters: null,
      clock,
      random: () => 0.5,
      log,
      stepNote,
    })
  })
  return { made, running, leaseCalls }
}
