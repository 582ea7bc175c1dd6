// A worker with real loops on a real store in virtual time, whose crawl is changed while it runs.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { assembleLoop } from '../../src/engine/crawl/assemble-loop.ts'
import { toSeeds } from '../../src/engine/crawl/plan/seeds.ts'
import { ChunkPool } from '../../src/engine/crawl/report/response-batch.ts'
import { NO_LOOP_COUNTS } from '../../src/engine/crawl/stats/loop-counters.ts'
import { NO_STEP_RECORDER } from '../../src/engine/crawl/testing/no-step-recorder.ts'
import { newRateCell } from '../../src/engine/politeness/throttle.ts'
import { createLog, silentLog } from '../../src/lib/log.ts'
import { TEST_SETTINGS, type TestStore } from '../../src/ports/contracts/testing/store-harness.ts'
import type { Crawl, CrawlSettings } from '../../src/ports/crawls.ts'
import { makeTestStore } from '../../src/store/testing/sqlite-test-store.ts'
import { type WorkerCrawl, WorkerRole } from '../../src/worker/fleet/worker-role.ts'
import { Holds } from '../../src/worker/holds/holds.ts'
import { NO_DOCUMENTS } from './testing/no-documents.ts'
import { makeTreeSite, type PageResponder } from './testing/simulated-crawl.ts'
import { runInVirtualTime, VirtualWeb } from './testing/virtual-web.ts'

const BEAT_MS = 1000
/** The heartbeat that brings the change, and the next one, which restarts the crawl. */
const HEARD_MS = 2 * BEAT_MS
const COUNTS = {
  requests: 0,
  failures: 0,
  bytes: 0,
  inFlight: 0,
  held: null,
  loopCounts: NO_LOOP_COUNTS,
  phases: {},
  waits: [],
}

interface ControlledCrawl {
  answer?: PageResponder
  seeds?: string[]
  settings: Partial<CrawlSettings>
  /** An action and its time. */
  atMs: number
  change: (store: TestStore, crawl: Crawl) => Promise<unknown>
}

async function runControlledCrawl(
  t: TestContext,
  { answer = makeTreeSite(60), seeds = ['http://a.test/0'], settings, atMs, change }: ControlledCrawl,
) {
  const store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
  t.after(() => store.close())
  const { clock, frontier, robots, contents } = store
  const startedAt = clock.now()
  const web = new VirtualWeb(clock, (url) => answer(url, clock.now() - startedAt))
  const startCrawl = async (crawl: Crawl): Promise<WorkerCrawl> => {
    const { perHost, perIp, concurrency, maxRate } = crawl.settings
    const limits = {
      threadId: 'w1-0',
      workerId: 'w1',
      slotsPerHost: perHost,
      perIp,
      concurrency,
      seenUrls: 1000,
      leaseMs: store.leaseMs,
      pollMinMs: 100,
      pollMaxMs: 30_000,
    }
    const loop = assembleLoop(
      crawl,
      { ...limits, rates: [{ perSecond: maxRate, cell: newRateCell() }] },
      {
        frontier,
        robots,
        contents,
        clock,
        fetcher: web,
        filters: null,
        random: () => 0.5,
        log: silentLog,
        archive: { append: () => assert.fail('nothing should be archived') },
        chunkPool: new ChunkPool(),
        stepRecorder: NO_STEP_RECORDER,
        renderer: null,
        extractor: null,
        hooks: null,
        documents: NO_DOCUMENTS,
      },
    )
    return { run: () => loop.run(), stop: () => loop.stop(), counts: () => COUNTS, setProcessCount: () => undefined }
  }
  const events: string[] = []
  const role = new WorkerRole(
    { id: 'w1', name: 'one', version: '1', beatMs: BEAT_MS, graceMs: 5000, patienceMs: 0 },
    {
      workers: store.workers,
      crawls: store.crawls,
      holds: new Holds(),
      clock,
      log: createLog((_level, event) => events.push(event)),
      beginCrawl: startCrawl,
    },
  )
  const created = await store.crawls.create({
    seeds: toSeeds(seeds, 1),
    settings: { ...TEST_SETTINGS, concurrency: 16, traps: false, delayMs: 100, ...settings },
    keySeed: 1,
  })
  clock.after(atMs, () => void change(store, created))
  const poll = async () => {
    const { crawl } = await store.crawls.progress(created.id)
    if (crawl.status === 'completed') role.stop()
    else clock.after(BEAT_MS, () => void poll())
  }
  await poll()
  await runInVirtualTime(clock, role.run())
  assert.deepEqual(await store.urls.verify(created.id), [])
  const rows = await Array.fromAsync(store.urls.rows(created.id))
  const requests = web.requests.map(({ url, at }) => ({
    path: new URL(url).pathname,
    host: new URL(url).host,
    atMs: at - startedAt,
  }))
  return { rows, requests, events, ledger: (await store.crawls.progress(created.id)).ledger }
}

describe('a crawl that is changed while it runs', () => {
  it('excludes what new patterns exclude, including queued URLs', async (t) => {
    const { rows, requests } = await runControlledCrawl(t, {
      settings: {},
      atMs: 1500,
      change: (store, { id }) => store.control.changeSettings(id, { exclude: ['/[0-9]*[13579]$'] }),
    })
    const isOdd = (path: string) => Number(path.slice(1)) % 2 === 1
    assert.deepEqual(
      requests.filter(({ path, atMs }) => isOdd(path) && atMs > 1500 + HEARD_MS),
      [],
    )
    const left = rows.filter(({ reason }) => reason === 'excluded_pattern')
    assert.ok(left.length > 0 && left.every(({ url, state }) => isOdd(new URL(url).pathname) && state === 'excluded'))
  })

  it('include patterns do not apply to seeds, exclude patterns do', async (t) => {
    const { rows } = await runControlledCrawl(t, {
      seeds: ['http://a.test/0', 'http://a.test/7', 'http://a.test/8'],
      settings: { include: ['/[0-9]$'], exclude: ['/7$'], delayMs: 0 },
      atMs: 1,
      change: async () => undefined,
    })
    const reasons = Object.fromEntries(rows.map(({ url, reason }) => [new URL(url).pathname, reason]))
    assert.equal(reasons['/0'], null)
    assert.equal(reasons['/7'], 'excluded_pattern')
    assert.equal(rows.length, 10)
  })

  it('keeps a new gap within two heartbeats', async (t) => {
    const { requests, ledger } = await runControlledCrawl(t, {
      settings: { delayMs: 1000 },
      atMs: 5000,
      change: (store, { id }) => store.control.changeSettings(id, { delayMs: 100 }),
    })
    assert.equal(ledger.visited, 60)
    const [slow, fast] = [
      requests.filter(({ atMs }) => atMs < 5000),
      requests.filter(({ atMs }) => atMs > 5000 + HEARD_MS),
    ]
    assert.ok(slow.length <= 6, `${slow.length} requests in five seconds`)
    const tookMs = (fast.at(-1)?.atMs ?? 0) - (fast[0]?.atMs ?? 0)
    assert.ok(tookMs < fast.length * 200, `${fast.length} requests took ${tookMs} ms`)
  })

  it('goes deeper when the limit is raised, but not where another limit applies', async (t) => {
    const { ledger, rows } = await runControlledCrawl(t, {
      settings: { maxDepth: 2 },
      atMs: 500,
      change: (store, { id }) => store.control.changeSettings(id, { maxDepth: 4 }),
    })
    assert.equal(ledger.visited, 31)
    assert.equal(Math.max(...rows.map(({ depth }) => depth)), 4)
    const lowered = await runControlledCrawl(t, {
      settings: {},
      atMs: 1000,
      change: (store, { id }) => store.control.changeSettings(id, { maxDepth: 2 }),
    })
    const deep = lowered.rows.filter(({ depth, state }) => depth > 2 && state === 'excluded')
    assert.ok(deep.length > 0 && deep.every(({ reason }) => reason === 'depth'))
    assert.ok(lowered.ledger.visited < 31)
  })

  it('sends no more requests to a blocked host, except those in flight', async (t) => {
    const both: PageResponder = (url) => {
      const { links = [], ...rest } = makeTreeSite(40)(url)
      const other = new URL(url).host === 'a.test' ? 'b.test' : 'a.test'
      return { links: [...links, `http://${other}${new URL(url).pathname}`], ...rest }
    }
    const { requests, rows } = await runControlledCrawl(t, {
      answer: both,
      settings: { scope: 'any', delayMs: 200 },
      atMs: 2000,
      change: (store, { id }) => store.control.blockHost(id, 'b.test'),
    })
    const late = requests.filter(({ host, atMs }) => host === 'b.test' && atMs > 2000)
    assert.ok(late.length <= 16, `${late.length} requests to the blocked host`)
    const ofA = rows.filter(({ url }) => url.startsWith('http://a.test/'))
    assert.ok(ofA.length === 40 && ofA.every(({ state }) => state === 'visited'))
    const ofB = rows.filter(({ url }) => url.startsWith('http://b.test/'))
    assert.ok(ofB.some(({ reason }) => reason === 'blocked_host'))
    assert.equal(ofB.length, 40)
  })
})
