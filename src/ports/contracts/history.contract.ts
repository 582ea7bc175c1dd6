// The history of crawls on every store.

import assert from 'node:assert/strict'
import { emptyLedger } from '../../lib/states.ts'
import { type HistorySample, MAX_SAMPLES } from '../history.ts'
import { describeStore, type TestStore } from './testing/store-harness.ts'

const EVERY_MS = 5_000

function sample(round: number): HistorySample {
  const states = { ...emptyLedger(), visited: round, queued: 3 }
  return { at: 1_000_000 + round * EVERY_MS, pagesPerSecond: round / 3, bytesPerSecond: 2 ** 40, inFlight: 2, states }
}

export function historyContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: history`, makeStore, (add) => {
    add('samples are stored in order of time, and survive a restart', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      assert.deepEqual(await storeHarness.store.history.list(storeHarness.crawlId), [])
      for (const round of [2, 1, 3]) await storeHarness.store.history.add(storeHarness.crawlId, sample(round))
      storeHarness.store = await storeHarness.store.reopen()
      assert.deepEqual(await storeHarness.store.history.list(storeHarness.crawlId), [sample(1), sample(2), sample(3)])
      assert.deepEqual(await storeHarness.store.history.list('another'), [])
    })

    add('of two concurrent samples of a crawl one is stored', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.store.history.add(storeHarness.crawlId, sample(1))
      await storeHarness.store.history.add(storeHarness.crawlId, { ...sample(1), at: sample(1).at + 900, inFlight: 9 })
      assert.deepEqual(await storeHarness.store.history.list(storeHarness.crawlId), [sample(1)])
    })

    add('a history stays within its limit and gets sparser towards its start', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      for (let round = 0; round < 2 * MAX_SAMPLES; round++)
        await storeHarness.store.history.add(storeHarness.crawlId, sample(round))
      const times = (await storeHarness.store.history.list(storeHarness.crawlId)).map(({ at }) => at)
      assert.ok(times.length <= MAX_SAMPLES && times.length > MAX_SAMPLES / 2, String(times.length))
      assert.deepEqual([times[0], times.at(-1)], [sample(0).at, sample(2 * MAX_SAMPLES - 1).at])
      const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0))
      assert.equal(gaps.at(-1), EVERY_MS)
      assert.ok(gaps.every((gap, i) => i === 0 || gap <= (gaps[i - 1] ?? 0)))
    })

    add('a history is removed with its crawl, and nothing is added to it meanwhile', async (storeHarness) => {
      await storeHarness.start(['a/1'])
      await storeHarness.crawlAll({})
      await storeHarness.store.history.add(storeHarness.crawlId, sample(1))
      const { crawlId } = storeHarness
      await storeHarness.store.control.remove(crawlId)
      await storeHarness.store.history.add(crawlId, sample(2))
      let steps = 0
      while (await storeHarness.store.control.removeNextBatch()) steps += 1
      assert.ok(steps > 0)
      await storeHarness.store.history.add(crawlId, sample(3))
      assert.deepEqual(await storeHarness.store.history.list(crawlId), [])
      // The new crawl may get the row of the removed one.
      await storeHarness.start(['a/1'])
      assert.deepEqual(await storeHarness.store.history.list(storeHarness.crawlId), [])
    })
  })
}
