import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { silentLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { Holds } from './holds.ts'
import { IndexWatch } from './index-watch.ts'

async function watch(maxWaiting: number) {
  const [clock, holds] = [new ManualClock(), new Holds()]
  const state: { waiting: number | null } = { waiting: 0 }
  const lag = async () => {
    if (state.waiting === null) throw new Error('no thread')
    return { waiting: state.waiting, lagMs: 1 }
  }
  const told: number[] = []
  const holdAll = async (forMs: number) => void told.push(forMs)
  const index = new IndexWatch(maxWaiting, { lag, holds, holdAll, clock, log: silentLog })
  await index.start()
  return {
    holds,
    index,
    told,
    async look(waiting: number | null) {
      state.waiting = waiting
      clock.advance(1000)
      // The look is a promise of its own.
      await new Promise(setImmediate)
      return holds.held
    },
  }
}

describe('an index that is behind', () => {
  it('asks all workers to wait, again with every look, and tells them when it is over', async () => {
    const { look, index, told } = await watch(100)
    for (const waiting of [100, 101, 60, 50, 40, 101]) await look(waiting)
    await index.stop()
    assert.deepEqual(told, [10_000, 10_000, 0, 10_000, 0])
  })

  it('holds the crawl past the bound, until half of it', async () => {
    const { look, index } = await watch(100)
    assert.equal(await look(100), null)
    assert.equal(await look(101), 'index_lag')
    assert.equal(await look(51), 'index_lag')
    assert.equal(await look(50), null)
    assert.equal(await look(100), null)
    assert.deepEqual(index.lastLag, { waiting: 100, lagMs: 1 })
  })

  it('holds nothing when there is no bound', async () => {
    const { look } = await watch(0)
    assert.equal(await look(1_000_000), null)
  })

  it('lets go when nobody fills it any more, and when it is over', async () => {
    const { look, index, holds } = await watch(10)
    assert.equal(await look(11), 'index_lag')
    assert.equal(await look(null), null)
    assert.equal(await look(11), 'index_lag')
    index.stop()
    assert.equal(holds.held, null)
  })
})
