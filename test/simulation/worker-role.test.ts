import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { NO_LOOP_COUNTS } from '../../src/engine/crawl/stats/loop-counters.ts'
import { AppError } from '../../src/lib/errors.ts'
import { createLog } from '../../src/lib/log.ts'
import { foundUrl, TEST_SETTINGS } from '../../src/ports/contracts/testing/store-harness.ts'
import { makeTestStore } from '../../src/store/testing/sqlite-test-store.ts'
import { type WorkerCrawl, WorkerRole } from '../../src/worker/fleet/worker-role.ts'
import { Holds } from '../../src/worker/holds/holds.ts'

/** A running crawl that ends when the test says so. */
class TestRunningCrawl implements WorkerCrawl {
  readonly end = Promise.withResolvers<string>()
  isStopped = false

  run(): Promise<string> {
    return this.end.promise
  }

  stop(): void {
    this.isStopped = true
    this.end.resolve('stopped')
  }

  workers = 0
  setProcessCount(workers: number): void {
    this.workers = workers
  }

  counts() {
    const loopCounts = { ...NO_LOOP_COUNTS, visited: 4 }
    return {
      requests: 5,
      failures: 1,
      bytes: 100,
      inFlight: 2,
      held: null,
      loopCounts,
      phases: { origin: 900 },
      waits: [],
    }
  }
}

describe('WorkerRole', () => {
  let store: ReturnType<typeof makeTestStore>
  let shifts: TestRunningCrawl[]
  let events: string[]
  let role: WorkerRole
  let running: Promise<void>

  beforeEach(async () => {
    store = makeTestStore({ leaseMs: 30_000, random: () => 0.5 })
    shifts = []
    events = []
    role = new WorkerRole(
      { id: 'w1', name: 'one', version: '1', beatMs: 1000, graceMs: 5000, patienceMs: 60_000 },
      {
        workers: store.workers,
        crawls: store.crawls,
        holds: new Holds(),
        clock: store.clock,
        log: createLog((_level, event) => events.push(event)),
        async beginCrawl() {
          const shift = new TestRunningCrawl()
          shifts.push(shift)
          return shift
        },
      },
    )
    running = role.run()
    await settle()
  })

  afterEach(async () => {
    role.stop()
    for (const shift of shifts) shift.end.resolve('stopped')
    await running
    await store.close()
  })

  const settle = async () => {
    for (let i = 0; i < 5; i++) await setImmediate()
  }
  const pass = async (ms: number) => {
    store.clock.advance(ms)
    await settle()
  }
  const create = () => store.crawls.create({ seeds: [foundUrl('a/')], settings: TEST_SETTINGS, keySeed: 1 })

  it('starts a crawl within a heartbeat and stops it within a heartbeat of its pause', async () => {
    const crawl = await create()
    await pass(1000)
    assert.equal(shifts.length, 1)
    await store.crawls.setPaused(crawl.id, true)
    await pass(1000)
    assert.equal(shifts[0]?.isStopped, true)
    await store.crawls.setPaused(crawl.id, false)
    await pass(1000)
    assert.equal(shifts.length, 2)
  })

  it('pauses a crawl whose patterns are no longer valid and continues with the others', async () => {
    const settings = { ...TEST_SETTINGS, exclude: ['/(?!docs/)'] }
    const old = await store.crawls.create({ seeds: [foundUrl('b/')], settings, keySeed: 1 })
    const other = await create()
    await pass(1000)
    assert.equal(shifts.length, 1)
    assert.ok(events.includes('crawl paused'))
    const statusOf = async (id: string) => (await store.crawls.progress(id)).crawl.status
    assert.deepEqual([await statusOf(old.id), await statusOf(other.id)], ['paused', 'running'])
    await store.control.changeSettings(old.id, { exclude: ['/private/'] })
    await store.crawls.setPaused(old.id, false)
    await pass(5000)
    assert.equal(shifts.length, 2)
  })

  it('reports the counters of its running crawls with each heartbeat, including those that ended', async () => {
    const crawl = await create()
    await pass(1000)
    await store.crawls.setPaused(crawl.id, true)
    await pass(1000)
    await store.crawls.setPaused(crawl.id, false)
    await pass(1000)
    await pass(1000)
    const [row] = await store.workers.list()
    assert.deepEqual([row?.figures.requests, row?.figures.answers, row?.figures.inFlight], [10, 8, 2])
    assert.deepEqual(row?.figures.crawls, [{ crawlId: crawl.id, inFlight: 2, phases: { origin: 900 } }])
    assert.equal(role.counts().loopCounts.visited, 8)
  })

  it('tells its running crawls how many workers share a crawl', async () => {
    await create()
    await pass(1000)
    assert.equal(shifts[0]?.workers, 1)
    const figures = { cpuPercent: 0, rssBytes: 0, loopDelayMs: 0, requests: 0, answers: 0, bytes: 0, inFlight: 0 }
    const rest = { lastAnswerAt: null, recentRequests: 0, recentFailures: 0, held: null, crawls: [] }
    const [row] = await store.workers.list()
    assert.ok(row !== undefined)
    await store.workers.heartbeat({ ...row, id: 'w2', figures: { ...figures, ...rest } })
    await pass(1000)
    assert.equal(shifts[0]?.workers, 2)
  })

  it('a crawl that fails here is retried, with increasing delays', async () => {
    await create()
    await pass(1000)
    shifts[0]?.end.reject(new AppError('STORE_AWAY', 'away'))
    await settle()
    await pass(1000)
    assert.equal(shifts.length, 2)
    shifts[1]?.end.reject(new AppError('STORE_AWAY', 'away'))
    await settle()
    await pass(1000)
    assert.equal(shifts.length, 2)
    await pass(1000)
    assert.equal(shifts.length, 3)
    assert.equal(events.filter((event) => event === 'crawl failed here').length, 2)
  })

  it('stops its crawls and leaves when it is drained', async () => {
    await create()
    await pass(1000)
    await store.workers.drain('w1', 'asked by hand')
    await pass(1000)
    await running
    assert.equal(shifts[0]?.isStopped, true)
    assert.equal((await store.workers.list())[0]?.state, 'left')
  })

  it('leaves after the grace period even if a crawl does not end', async () => {
    await create()
    await pass(1000)
    const [shift] = shifts
    if (shift !== undefined) shift.stop = () => undefined
    role.stop()
    await settle()
    await pass(4999)
    assert.equal((await store.workers.list())[0]?.state, 'working')
    await pass(1)
    await running
    assert.equal((await store.workers.list())[0]?.state, 'left')
  })
})
