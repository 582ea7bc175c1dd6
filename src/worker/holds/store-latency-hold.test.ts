import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { Holds } from './holds.ts'
import { type CommitTimes, StoreLatencyHold } from './store-latency-hold.ts'

/** A crawl whose commit times the test sets, and a store whose probes the test resolves. */
function setUp(maxMs: number) {
  const [clock, holds] = [new ManualClock(), new Holds()]
  const times: CommitTimes = { count: 0, sumMs: 0, oldestMs: 0 }
  const probes: (() => void)[] = []
  const probe = () => new Promise<void>((resolve) => probes.push(resolve))
  const hold = new StoreLatencyHold(maxMs, { probe, clock, holds })
  const source = { isOver: false, commitTimes: () => ({ ...times }) }
  hold.addSource(source)
  hold.start()
  const check = async () => {
    clock.advance(500)
    await setImmediate()
  }
  const commit = async (ms: number) => {
    times.count += 1
    times.sumMs += ms
    await check()
  }
  return { clock, holds, times, probes, hold, source, check, commit }
}

describe('StoreLatencyHold', () => {
  it('holds the crawls if commits take too long on average, not if a single one does', async () => {
    const { commit, holds } = setUp(5000)
    for (let i = 0; i < 10; i++) await commit(100)
    await commit(10_000)
    assert.equal(holds.reason, null)
    for (let i = 0; i < 3; i++) await commit(10_000)
    assert.equal(holds.reason, 'slow_store')
  })

  it('holds them while a commit gets no result', async () => {
    const { times, check, holds } = setUp(5000)
    times.oldestMs = 4999
    await check()
    assert.equal(holds.reason, null)
    times.oldestMs = 5001
    await check()
    assert.equal(holds.reason, 'slow_store')
  })

  it('ends the hold when probes take less than half of the limit, and not before', async () => {
    const { times, check, holds, probes, clock } = setUp(5000)
    times.oldestMs = 6000
    await check()
    times.oldestMs = 0
    times.count += 1
    times.sumMs += 6000
    await check()
    assert.equal(probes.length, 1)
    clock.advance(5000)
    await setImmediate()
    assert.deepEqual([holds.reason, probes.length], ['slow_store', 1])
    for (let i = 1; i < 20 && holds.reason !== null; i++) {
      probes[i - 1]?.()
      await setImmediate()
      await check()
    }
    assert.equal(holds.reason, null)
    // The mean falls from about 6 s by three tenths per probe, so several fast probes are needed to get below 2.5 s.
    assert.ok(probes.length > 3, `${probes.length} writes`)
    const probesBefore = probes.length
    for (let i = 0; i < 5; i++) await check()
    assert.equal(probes.length, probesBefore)
  })

  it('does nothing when it is off, and ends its hold when it is stopped', async () => {
    const off = setUp(0)
    off.times.oldestMs = 1e9
    await off.check()
    assert.equal(off.holds.reason, null)
    const { times, check, holds, hold } = setUp(10)
    times.oldestMs = 11
    await check()
    assert.equal(holds.reason, 'slow_store')
    hold.stop()
    assert.equal(holds.reason, null)
  })

  it('counts the commits of a crawl once, and forgets the crawl when it is over', async () => {
    const { times, check, source, holds } = setUp(5000)
    times.count = 1
    times.sumMs = 4000
    source.isOver = true
    await check()
    times.oldestMs = 9000
    await check()
    assert.equal(holds.reason, null)
  })
})
