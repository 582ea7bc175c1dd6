import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { NO_LOOP_COUNTS } from '../../engine/crawl/watch/loop-counters.ts'
import { AppError, type ErrorCode } from '../../lib/errors.ts'
import { createLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { HeartbeatReply } from '../../ports/workers.ts'
import { Holds } from '../watch/holds.ts'
import { startForegroundWorker } from './foreground-worker.ts'
import { Heartbeat } from './heartbeat.ts'

const SETTINGS = { id: 'w1', name: 'one', version: '1', beatMs: 1000, patienceMs: 60_000 }
const COUNTS = { requests: 7, failures: 1, bytes: 9, inFlight: 2, held: null, loopCounts: NO_LOOP_COUNTS }
const crawl = (id: string) => ({ id }) as Crawl

/** A store whose answer the test gives: orders, or what goes wrong. */
function register() {
  const clock = new ManualClock()
  const events: string[] = []
  const state = {
    orders: { mayWork: true, workers: 1, hold: null, crawls: [] } as HeartbeatReply,
    fails: null as ErrorCode | null,
    beats: 0,
  }
  const left: string[] = []
  const workers = {
    async heartbeat() {
      state.beats += 1
      if (state.fails !== null) throw new AppError(state.fails, 'it does not work')
      return state.orders
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

function beating(t: TestContext) {
  const parts = register()
  const obeyed: HeartbeatReply[] = []
  const counts = () => ({ counts: COUNTS, crawls: [] })
  const heartbeat = new Heartbeat(SETTINGS, {
    ...parts,
    counts,
    onReply: (heartbeatReply) => void obeyed.push(heartbeatReply),
  })
  const ended = heartbeat.run()
  ended.catch(() => undefined)
  t.after(() => heartbeat.leave())
  return { ...parts, heartbeat, ended, obeyed }
}

describe('a heartbeat', () => {
  it('has its whole patience left after a full disk', async (t) => {
    const { state, pass, ended } = beating(t)
    await pass(0)
    state.fails = 'DISK_FULL'
    for (let waited = 0; waited < SETTINGS.patienceMs * 3; waited += 1000) await pass(1000)
    state.fails = 'STORE_FAILED'
    const { beats } = state
    await pass(SETTINGS.patienceMs / 2)
    assert.ok(state.beats > beats)
    state.fails = null
    await pass(60_000)
    assert.equal(await Promise.race([ended, 'at work']), 'at work')
  })

  it('holds the crawl for as long as all workers shall wait', async (t) => {
    const { state, pass, holds } = beating(t)
    state.orders.hold = 'index_lag'
    await pass(0)
    assert.equal(holds.held, 'index_lag')
    await pass(1000)
    state.orders.hold = null
    await pass(1000)
    assert.equal(holds.held, null)
  })

  it('goes on when a beat fails, less and less often, and as before when one succeeds', async (t) => {
    const { state, pass, obeyed, events } = beating(t)
    await pass(0)
    assert.deepEqual([state.beats, obeyed.length], [1, 1])
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
    assert.deepEqual([state.beats, obeyed.length], [4, 2])
    await pass(1000)
    assert.deepEqual([state.beats, obeyed.length], [5, 3])
    assert.equal(events.filter((event) => event === 'heartbeat failed').length, 2)
  })

  it('waits for as long as the disk is full, and holds the crawl meanwhile', async (t) => {
    const { state, pass, holds, heartbeat } = beating(t)
    await pass(0)
    state.fails = 'DISK_FULL'
    for (let i = 0; i < 40; i++) await pass(5000)
    assert.equal(holds.held, 'low_disk')
    assert.equal(heartbeat.silentMs, 200_000)
    state.fails = null
    await pass(5000)
    assert.equal(holds.held, null)
    assert.equal(heartbeat.silentMs, 0)
  })

  for (const code of ['DATA_NEWER', 'MOVE_UNFINISHED'] as const) {
    it(`gives up at once when trying again cannot help: ${code}`, async (t) => {
      const { state, pass, ended } = beating(t)
      await pass(0)
      state.fails = code
      await pass(1000)
      await assert.rejects(ended, { code })
    })
  }

  it('gives up when its patience is over', async (t) => {
    const { state, pass, ended, heartbeat } = beating(t)
    await pass(0)
    state.fails = 'INTERNAL'
    for (let i = 0; i < 4; i++) await pass(15_000)
    assert.equal(heartbeat.silentMs, 60_000)
    for (let i = 0; i < 3; i++) await pass(30_000)
    await assert.rejects(ended, { code: 'INTERNAL' })
  })

  it('that is stopped obeys nothing that comes later', async (t) => {
    const { heartbeat, ended, obeyed, pass } = beating(t)
    heartbeat.stop()
    await pass(0)
    await ended
    assert.deepEqual(obeyed, [])
  })
})

describe('a crawl in the foreground', () => {
  const attending = () => {
    const parts = register()
    parts.state.orders.crawls = [crawl('c1')]
    const shift = { isStopped: false, workers: 0 }
    const heeded: Crawl[] = []
    const work = {
      crawlId: 'c1',
      applySettings: (asItIs: Crawl) => void heeded.push(asItIs),
      run: {
        stop: () => {
          shift.isStopped = true
        },
        setProcessCount: (workers: number) => {
          shift.workers = workers
        },
        counts: () => ({ ...COUNTS, phases: {}, waits: [] }),
      },
    }
    const foregroundWorker = startForegroundWorker(work, SETTINGS, parts)
    return { ...parts, shift, attendance: foregroundWorker, heeded }
  }

  it('shares the requests a second with the others, and leaves', async () => {
    const { state, shift, attendance, pass, left } = attending()
    await pass(0)
    state.orders.workers = 3
    await pass(1000)
    assert.deepEqual(shift, { isStopped: false, workers: 3 })
    await attendance.leave()
    assert.deepEqual(left, ['w1'])
    const { beats } = state
    await pass(5000)
    assert.equal(state.beats, beats)
  })

  it('hears with every beat how the crawl is to be done', async () => {
    const { state, attendance, pass, heeded } = attending()
    await pass(0)
    const changed = { ...crawl('c1'), rootUrl: 'http://other.test/' }
    state.orders.crawls = [crawl('c2'), changed]
    await pass(1000)
    assert.deepEqual(heeded, [crawl('c1'), changed])
    await attendance.leave()
  })

  it('stops within two beats when it is paused or cancelled elsewhere', async () => {
    const { state, shift, attendance, pass } = attending()
    await pass(0)
    state.orders.crawls = [crawl('c2')]
    await pass(1000)
    assert.equal(shift.isStopped, true)
    await attendance.leave()
  })

  it('stops when the process is told to drain', async () => {
    const { state, shift, attendance, pass } = attending()
    await pass(0)
    state.orders.mayWork = false
    await pass(1000)
    assert.equal(shift.isStopped, true)
    await attendance.leave()
  })

  it('hears of a store that it cannot use', async () => {
    const { state, attendance, pass } = attending()
    await pass(0)
    state.fails = 'DATA_NEWER'
    await pass(1000)
    await assert.rejects(attendance.failure, { code: 'DATA_NEWER' })
    await attendance.leave()
  })
})
