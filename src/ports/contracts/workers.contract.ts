// Workers that join, get orders, leave, and are lost.

import assert from 'node:assert/strict'
import type { WorkerHeartbeat } from '../workers.ts'
import { describeHarness, only, StoreHarness, type TestStore } from './testing/store-harness.ts'

class WorkersBench extends StoreHarness {
  beat(id: string, changes: Partial<WorkerHeartbeat['figures']> = {}) {
    const figures = { cpuPercent: 50, rssBytes: 1000, loopDelayMs: 2, requests: 7, answers: 6, bytes: 99, inFlight: 3 }
    const rest = { lastAnswerAt: null, recentRequests: 0, recentFailures: 0, held: null, crawls: [], ...changes }
    const about = { id, name: `${id} on a machine`, version: '1', startedAt: this.store.clock.now() }
    return this.store.workers.heartbeat({ ...about, address: `http://${id}.test`, figures: { ...figures, ...rest } })
  }

  /** Leases one URL to a thread of the worker. */
  async give(id: string, seeds: string[]) {
    await this.start(seeds)
    return only((await this.lease({ threadId: `${id}-0` })).leases)
  }

  async states(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.store.workers.list()).map(({ id, state }) => [id, state]))
  }
}

export function workersContract(name: string, makeStore: () => Promise<TestStore>): void {
  const makeHarness = async () => new WorkersBench(await makeStore())
  describeHarness(`workers on ${name}`, makeHarness, (it) => {
    it('an archive node is not a worker', async (harness) => {
      await harness.store.workers.announceArchiveNode({ id: 'k1', name: 'k1 on a machine', address: 'http://k1.test' })
      assert.deepEqual(await harness.store.workers.list(), [])
      assert.equal((await harness.beat('w1')).workers, 1)
    })

    it('a worker with a heartbeat is listed with its figures', async (harness) => {
      const startedAt = harness.store.clock.now()
      assert.deepEqual(await harness.beat('w1'), { mayWork: true, workers: 1, hold: null, crawls: [] })
      harness.store.clock.advance(1000)
      const crawls = [{ crawlId: 'c', inFlight: 4, phases: { origin: 9 }, silentHosts: { hosts: 2, host: 'a.test' } }]
      await harness.beat('w1', { inFlight: 4, crawls })
      const row = only(await harness.store.workers.list())
      assert.equal(row.state, 'working')
      assert.equal(row.startedAt, startedAt)
      assert.equal(row.seenAt, startedAt + 1000)
      assert.equal(row.name, 'w1 on a machine')
      assert.equal(row.address, 'http://w1.test')
      assert.equal(row.figures.inFlight, 4)
      assert.deepEqual(row.figures.crawls, crawls)
    })

    it('a heartbeat returns the running crawls', async (harness) => {
      const crawl = await harness.start(['a/'])
      assert.deepEqual((await harness.beat('w1')).crawls, [crawl])
      await harness.store.crawls.setPaused(crawl.id, true)
      assert.deepEqual((await harness.beat('w1')).crawls, [])
    })

    it('a heartbeat returns the number of workers', async (harness) => {
      await harness.beat('w1')
      assert.equal((await harness.beat('w2')).workers, 2)
      await harness.store.workers.leave('w1')
      assert.equal((await harness.beat('w2')).workers, 1)
    })

    it('all workers are told of a hold until it ends or expires', async (harness) => {
      await harness.store.workers.hold('index_lag', 'i1', 5000)
      for (const id of ['w1', 'w2']) assert.equal((await harness.beat(id)).hold, 'index_lag')
      harness.store.clock.advance(4000)
      await harness.store.workers.hold('index_lag', 'i1', 5000)
      harness.store.clock.advance(4999)
      assert.equal((await harness.beat('w1')).hold, 'index_lag')
      harness.store.clock.advance(1)
      assert.equal((await harness.beat('w1')).hold, null)
      for (const holder of ['i1', 'i2']) await harness.store.workers.hold('index_lag', holder, 5000)
      await harness.store.workers.hold('index_lag', 'i1', 0)
      assert.equal((await harness.beat('w1')).hold, 'index_lag')
      await harness.store.workers.hold('index_lag', 'i2', 0)
      assert.equal((await harness.beat('w1')).hold, null)
    })

    it('a draining worker is told with every heartbeat, and the reason is stored', async (harness) => {
      await harness.beat('w1')
      await harness.store.workers.drain('w1', 'asked by hand')
      assert.equal((await harness.beat('w1')).mayWork, false)
      assert.equal((await harness.beat('w1')).mayWork, false)
      const row = only(await harness.store.workers.list())
      assert.deepEqual([row.state, row.note], ['draining', 'asked by hand'])
    })

    it('a worker that leaves releases its leases', async (harness) => {
      await harness.beat('w1')
      await harness.give('w1', ['a/'])
      await harness.store.workers.leave('w1')
      assert.deepEqual(await harness.states(), { w1: 'left' })
      assert.equal((await harness.lease({ threadId: 'w2-0' })).leases.length, 1)
    })

    it('a host that a worker still has when it leaves waits a gap from then', async (harness) => {
      await harness.beat('w1')
      await harness.start(['a/'], { delayMs: 700 })
      only((await harness.lease({ threadId: 'w1-0' })).leases)
      harness.store.clock.advance(5_000)
      await harness.store.workers.leave('w1')
      const { leases, nextDueAt } = await harness.lease({ threadId: 'w2-0' })
      assert.deepEqual([leases, nextDueAt], [[], harness.store.clock.now() + 700])
      harness.store.clock.advance(700)
      assert.equal((await harness.lease({ threadId: 'w2-0' })).leases.length, 1)
    })

    it('a silent worker is lost, its URLs are requeued at once, and its later reports are rejected', async (harness) => {
      await harness.beat('w1')
      await harness.beat('w2')
      const held = await harness.give('w1', ['a/'])
      harness.store.clock.advance(10_000)
      await harness.beat('w2')
      const { wakeCount } = await harness.lease({ threadId: 'w2-0' })
      const woken = harness.store.frontier.waitForWork(harness.store.leaseMs, wakeCount)
      harness.store.clock.advance(10_000)
      assert.deepEqual(await harness.store.workers.requeueLost(15_000), [{ id: 'w1', silentMs: 20_000, urls: 1 }])
      assert.deepEqual(await harness.store.workers.requeueLost(15_000), [])
      assert.deepEqual(await harness.states(), { w1: 'lost', w2: 'working' })
      await woken
      const taken = only((await harness.lease({ threadId: 'w2-0' })).leases)
      assert.deepEqual(taken.urls, held.urls)
      await harness.beat('w1')
      assert.deepEqual(await harness.store.frontier.renew([held.token]), [held.token])
      const late = await harness.commit([harness.visitedReport(held, only(held.urls), ['b/'])], { threadId: 'w1-0' })
      assert.deepEqual([late.late, late.added], [1, 0])
      const result = await harness.commit([harness.visitedReport(taken, only(taken.urls))], {
        threadId: 'w2-0',
        release: [taken.token],
      })
      assert.deepEqual([result.late, result.status], [0, 'completed'])
    })

    it('a host of a lost worker waits a gap from when it was requeued', async (harness) => {
      await harness.beat('w1')
      await harness.start(['a/'], { delayMs: 700 })
      only((await harness.lease({ threadId: 'w1-0' })).leases)
      harness.store.clock.advance(15_000)
      await harness.store.workers.requeueLost(15_000)
      const { leases, nextDueAt } = await harness.lease({ threadId: 'w2-0' })
      assert.deepEqual([leases, nextDueAt], [[], harness.store.clock.now() + 700])
      harness.store.clock.advance(700)
      assert.equal((await harness.lease({ threadId: 'w2-0' })).leases.length, 1)
    })

    it('a thread of a lost worker that renews its leases keeps them until it is silent too', async (harness) => {
      await harness.beat('w1')
      const { token } = await harness.give('w1', ['a/'])
      harness.store.clock.advance(10_000)
      assert.deepEqual(await harness.store.frontier.renew([token]), [])
      harness.store.clock.advance(10_000)
      assert.deepEqual(await harness.store.workers.requeueLost(15_000), [{ id: 'w1', silentMs: 20_000, urls: 0 }])
      assert.equal((await harness.lease({ threadId: 'w2-0' })).leases.length, 0)
      harness.store.clock.advance(5000)
      assert.deepEqual(await harness.store.workers.requeueLost(15_000), [])
      assert.equal((await harness.lease({ threadId: 'w2-0' })).leases.length, 1)
    })

    it('leases of others do not count', async (harness) => {
      await harness.beat('w1')
      await harness.give('w10', ['a/'])
      harness.store.clock.advance(20_000)
      assert.deepEqual(await harness.store.workers.requeueLost(15_000), [{ id: 'w1', silentMs: 20_000, urls: 0 }])
      assert.equal((await harness.progress()).ledger.in_progress, 1)
    })

    it('a lost worker with a new heartbeat is a worker again', async (harness) => {
      await harness.beat('w1')
      harness.store.clock.advance(20_000)
      await harness.store.workers.requeueLost(15_000)
      assert.equal((await harness.beat('w1')).mayWork, true)
      const row = only(await harness.store.workers.list())
      assert.deepEqual([row.state, row.note], ['working', null])
    })

    it("the backlog counts hosts that are due and in nobody's hands", async (harness) => {
      await harness.start(['a/', 'a/2', 'b/', 'c/'])
      await harness.lease({ threadId: 'w1-0', maxHosts: 1 })
      assert.deepEqual(await harness.store.workers.backlog(), { dueHosts: 2 })
      await harness.store.crawls.setPaused(harness.crawlId, true)
      assert.deepEqual(await harness.store.workers.backlog(), { dueHosts: 0 })
    })

    it('workers that are gone are deleted after a while, the others are not', async (harness) => {
      await harness.beat('w1')
      await harness.store.workers.leave('w1')
      harness.store.clock.advance(100_000)
      await harness.beat('w2')
      await harness.store.workers.deleteGone(50_000)
      assert.deepEqual(await harness.states(), { w2: 'working' })
    })
  })
}
