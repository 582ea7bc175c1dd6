import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { silentLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { Holds } from './holds.ts'
import { IndexLagHold } from './index-lag-hold.ts'

async function openHold(maxWaiting: number) {
  const [clock, holds] = [new ManualClock(), new Holds()]
  const state: { waiting: number | null } = { waiting: 0 }
  const lag = async () => {
    if (state.waiting === null) throw new Error('no thread')
    return { waiting: state.waiting, lagMs: 1 }
  }
  const announced: number[] = []
  const holdAll = async (forMs: number) => void announced.push(forMs)
  const index = new IndexLagHold(maxWaiting, { lag, holds, holdAll, clock, log: silentLog })
  await index.start()
  return {
    holds,
    index,
    announced,
    async check(waiting: number | null) {
      state.waiting = waiting
      clock.advance(1000)
      // The check is asynchronous.
      await new Promise(setImmediate)
      return holds.reason
    },
  }
}

describe('an index that is behind', () => {
  it('holds all workers, again with every check, and ends the hold when it is over', async () => {
    const { check, index, announced } = await openHold(100)
    for (const waiting of [100, 101, 60, 50, 40, 101]) await check(waiting)
    await index.stop()
    assert.deepEqual(announced, [10_000, 10_000, 0, 10_000, 0])
  })

  it('holds the crawls above the limit, until half of it', async () => {
    const { check, index } = await openHold(100)
    assert.equal(await check(100), null)
    assert.equal(await check(101), 'index_lag')
    assert.equal(await check(51), 'index_lag')
    assert.equal(await check(50), null)
    assert.equal(await check(100), null)
    assert.deepEqual(index.lastLag, { waiting: 100, lagMs: 1 })
  })

  it('holds nothing without a limit', async () => {
    const { check } = await openHold(0)
    assert.equal(await check(1_000_000), null)
  })

  it('ends the hold if the index cannot be read, and when it is stopped', async () => {
    const { check, index, holds } = await openHold(10)
    assert.equal(await check(11), 'index_lag')
    assert.equal(await check(null), null)
    assert.equal(await check(11), 'index_lag')
    index.stop()
    assert.equal(holds.reason, null)
  })
})
