import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { Holds } from './holds.ts'
import { type CommitTimes, StoreWatch } from './store-watch.ts'

/** A crawl whose commits the test makes up, and a store that takes as long as it says. */
function bench(maxMs: number) {
  const [clock, holds] = [new ManualClock(), new Holds()]
  const times: CommitTimes = { count: 0, sumMs: 0, oldestMs: 0 }
  const probes: (() => void)[] = []
  const probe = () => new Promise<void>((resolve) => probes.push(resolve))
  const watch = new StoreWatch(maxMs, { probe, clock, holds })
  const source = { isOver: false, commitTimes: () => ({ ...times }) }
  watch.addSource(source)
  watch.start()
  const look = async () => {
    clock.advance(500)
    await setImmediate()
  }
  const commit = async (ms: number) => {
    times.count += 1
    times.sumMs += ms
    await look()
  }
  return { clock, holds, times, probes, watch, source, look, commit }
}

describe('a store watch', () => {
  it('holds the crawls when commits take too long on the mean, not when one does', async () => {
    const { commit, holds } = bench(5000)
    for (let i = 0; i < 10; i++) await commit(100)
    await commit(10_000)
    assert.equal(holds.held, null)
    for (let i = 0; i < 3; i++) await commit(10_000)
    assert.equal(holds.held, 'slow_store')
  })

  it('holds them while a commit does not come back', async () => {
    const { times, look, holds } = bench(5000)
    times.oldestMs = 4999
    await look()
    assert.equal(holds.held, null)
    times.oldestMs = 5001
    await look()
    assert.equal(holds.held, 'slow_store')
  })

  it('lets them go when a write comes back in less than half of the time, and not before', async () => {
    const { times, look, holds, probes, clock } = bench(5000)
    times.oldestMs = 6000
    await look()
    times.oldestMs = 0
    times.count += 1
    times.sumMs += 6000
    await look()
    assert.equal(probes.length, 1)
    clock.advance(5000)
    await setImmediate()
    assert.deepEqual([holds.held, probes.length], ['slow_store', 1])
    for (let i = 1; i < 20 && holds.held !== null; i++) {
      probes[i - 1]?.()
      await setImmediate()
      await look()
    }
    assert.equal(holds.held, null)
    // From about 6 s by three tenths a time: some quick writes are needed to get below 2.5 s.
    assert.ok(probes.length > 3, `${probes.length} writes`)
    const asked = probes.length
    for (let i = 0; i < 5; i++) await look()
    assert.equal(probes.length, asked)
  })

  it('does nothing when it is off, and lets go when it is stopped', async () => {
    const off = bench(0)
    off.times.oldestMs = 1e9
    await off.look()
    assert.equal(off.holds.held, null)
    const { times, look, holds, watch } = bench(10)
    times.oldestMs = 11
    await look()
    assert.equal(holds.held, 'slow_store')
    watch.stop()
    assert.equal(holds.held, null)
  })

  it('counts commits of a crawl once, and forgets it when it is over', async () => {
    const { times, look, source, holds } = bench(5000)
    times.count = 1
    times.sumMs = 4000
    source.isOver = true
    await look()
    times.oldestMs = 9000
    await look()
    assert.equal(holds.held, null)
  })
})
