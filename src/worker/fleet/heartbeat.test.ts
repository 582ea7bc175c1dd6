import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { NO_LOOP_COUNTS } from '../../engine/crawl/stats/loop-counters.ts'
import { AppError, type ErrorCode } from '../../lib/errors.ts'
import { createLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { HeartbeatReply } from '../../ports/workers.ts'
import { Holds } from '../holds/holds.ts'
import { startForegroundWorker } from './foreground-worker.ts'
import { Heartbeat } from './heartbeat.ts'

const SETTINGS = { id: 'w1', name: 'one', version: '1', beatMs: 1000, patienceMs: 60_000 }
const COUNTS = { requests: 7, failures: 1, bytes: 9, inFlight: 2, held: null, loopCounts: NO_LOOP_COUNTS }
const crawl = (id: string) => ({ id }) as Crawl

/** A store whose reply, or failure, is set by the test. */
function fakeStore() {
  const clock = new ManualClock()
  const events: string[] = []
  const state = {
    reply: { mayWork: true, workers: 1, hold: null, crawls: [] } as HeartbeatReply,
    fails: null as ErrorCode | null,
    beats: 0,
    /** Heartbeats do not arrive before this settles. */
    arrival: Promise.resolve(),
  }
  const left: string[] = []
  const workers = {
    async heartbeat() {
      await state.arrival
      state.beats += 1
      if (state.fails !== null) throw new AppError(state.fails, 'it does not work')
      return state.reply
    },
    async leave(id: string) {
      left.push(id)
    },
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    for (let i = 0; i < 5; i++) await setImmediate()
  }
  const holds = new Holds()
  return { clock, workers, holds, log: createLog((_level, event) => events.push(event)), events, state, left, pass }
}

function startHeartbeat(t: TestContext) {
  const store = fakeStore()
  const replies: HeartbeatReply[] = []
  const counts = () => ({ counts: COUNTS, crawls: [] })
  const heartbeat = new Heartbeat(SETTINGS, {
    ...store,
    counts,
    onReply: (heartbeatReply) => void replies.push(heartbeatReply),
  })
  const ended = heartbeat.run()
  ended.catch(() => undefined)
  t.after(() => heartbeat.leave())
  return { ...store, heartbeat, ended, replies }
}

describe('a heartbeat', () => {
  it('has its full patience again after a full disk', async (t) => {
    const { state, pass, ended } = startHeartbeat(t)
    await pass(0)
    state.fails = 'DISK_FULL'
    for (let waited = 0; waited < SETTINGS.patienceMs * 3; waited += 1000) await pass(1000)
    state.fails = 'STORE_FAILED'
    const { beats } = state
    await pass(SETTINGS.patienceMs / 2)
    assert.ok(state.beats > beats)
    state.fails = null
    await pass(60_000)
    assert.equal(await Promise.race([ended, 'running']), 'running')
  })

  it('holds the crawls for as long as the fleet is on hold', async (t) => {
    const { state, pass, holds } = startHeartbeat(t)
    state.reply.hold = 'index_lag'
    await pass(0)
    assert.equal(holds.reason, 'index_lag')
    await pass(1000)
    state.reply.hold = null
    await pass(1000)
    assert.equal(holds.reason, null)
  })

  it('is retried with a growing backoff, and is back to normal after a success', async (t) => {
    const { state, pass, replies, events } = startHeartbeat(t)
    await pass(0)
    assert.deepEqual([state.beats, replies.length], [1, 1])
    state.fails = 'STORE_FAILED'
    await pass(1000)
    assert.equal(state.beats, 2)
    await pass(1999)
    assert.equal(state.beats, 2)
    await pass(1)
    await pass(3999)
    assert.equal(state.beats, 3)
    state.fails = null
    await pass(1)
    assert.deepEqual([state.beats, replies.length], [4, 2])
    await pass(1000)
    assert.deepEqual([state.beats, replies.length], [5, 3])
    assert.equal(events.filter((event) => event === 'heartbeat failed').length, 2)
  })

  it('waits for as long as the disk is full, and holds the crawls meanwhile', async (t) => {
    const { state, pass, holds, heartbeat } = startHeartbeat(t)
    await pass(0)
    state.fails = 'DISK_FULL'
    for (let i = 0; i < 40; i++) await pass(5000)
    assert.equal(holds.reason, 'low_disk')
    assert.equal(heartbeat.silentMs, 200_000)
    state.fails = null
    await pass(5000)
    assert.equal(holds.reason, null)
    assert.equal(heartbeat.silentMs, 0)
  })

  for (const code of ['DATA_NEWER', 'MOVE_UNFINISHED'] as const) {
    it(`gives up at once if a retry cannot help: ${code}`, async (t) => {
      const { state, pass, ended } = startHeartbeat(t)
      await pass(0)
      state.fails = code
      await pass(1000)
      await assert.rejects(ended, { code })
    })
  }

  it('gives up when its patience is over', async (t) => {
    const { state, pass, ended, heartbeat } = startHeartbeat(t)
    await pass(0)
    state.fails = 'INTERNAL'
    for (let i = 0; i < 4; i++) await pass(15_000)
    assert.equal(heartbeat.silentMs, 60_000)
    for (let i = 0; i < 3; i++) await pass(30_000)
    await assert.rejects(ended, { code: 'INTERNAL' })
  })

  it('ignores replies after it was stopped', async (t) => {
    const { heartbeat, ended, replies, pass } = startHeartbeat(t)
    heartbeat.stop()
    await pass(0)
    await ended
    assert.deepEqual(replies, [])
  })
})

describe('a crawl in the foreground', () => {
  const startWorker = () => {
    const store = fakeStore()
    store.state.reply.crawls = [crawl('c1')]
    const run = { isStopped: false, workers: 0 }
    const settings: Crawl[] = []
    const work = {
      crawlId: 'c1',
      applySettings: (current: Crawl) => void settings.push(current),
      run: {
        stop: () => {
          run.isStopped = true
        },
        setProcessCount: (workers: number) => {
          run.workers = workers
        },
        counts: () => ({ ...COUNTS, phases: {}, waits: [] }),
      },
    }
    const foregroundWorker = startForegroundWorker(work, SETTINGS, store)
    return { ...store, run, worker: foregroundWorker, settings }
  }

  it('shares the rate limit with other workers, and leaves', async () => {
    const { state, run, worker, pass, left } = startWorker()
    await pass(0)
    state.reply.workers = 3
    await pass(1000)
    assert.deepEqual(run, { isStopped: false, workers: 3 })
    await worker.leave()
    assert.deepEqual(left, ['w1'])
    const { beats } = state
    await pass(5000)
    assert.equal(state.beats, beats)
  })

  it('leaves after its last heartbeat has arrived, which would undo it', async () => {
    const { state, worker, pass, left } = startWorker()
    await pass(0)
    const { promise, resolve } = Promise.withResolvers<void>()
    state.arrival = promise
    await pass(1000)
    const leaving = worker.leave()
    await pass(0)
    assert.deepEqual([state.beats, left], [1, []])
    resolve()
    await leaving
    assert.deepEqual([state.beats, left], [2, ['w1']])
  })

  it('gets the current settings with every heartbeat', async () => {
    const { state, worker, pass, settings } = startWorker()
    await pass(0)
    const changed = { ...crawl('c1'), rootUrl: 'http://other.test/' }
    state.reply.crawls = [crawl('c2'), changed]
    await pass(1000)
    assert.deepEqual(settings, [crawl('c1'), changed])
    await worker.leave()
  })

  it('stops within two heartbeats when it is paused or cancelled elsewhere', async () => {
    const { state, run, worker, pass } = startWorker()
    await pass(0)
    state.reply.crawls = [crawl('c2')]
    await pass(1000)
    assert.equal(run.isStopped, true)
    await worker.leave()
  })

  it('stops when the worker is drained', async () => {
    const { state, run, worker, pass } = startWorker()
    await pass(0)
    state.reply.mayWork = false
    await pass(1000)
    assert.equal(run.isStopped, true)
    await worker.leave()
  })

  it('fails if it cannot use the store', async () => {
    const { state, worker, pass } = startWorker()
    await pass(0)
    state.fails = 'DATA_NEWER'
    await pass(1000)
    await assert.rejects(worker.failure, { code: 'DATA_NEWER' })
    await worker.leave()
  })
})
