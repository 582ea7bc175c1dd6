import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { silentLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { Workers } from '../../ports/workers.ts'
import { Fleet, type LocalWorker } from './fleet.ts'

/** Processes that exit when the test says so. */
function makeLocalWorkers() {
  const localWorkers: (LocalWorker & { end: (code: number | null) => void; isDrained: boolean })[] = []
  const start = () => {
    const { promise, resolve } = Promise.withResolvers<number | null>()
    const localWorker = {
      pid: localWorkers.length + 1,
      ended: promise,
      end: resolve,
      isDrained: false,
      drain() {
        localWorker.isDrained = true
        resolve(0)
      },
    }
    localWorkers.push(localWorker)
    return localWorker
  }
  return { localWorkers, start }
}

function makeFleet(limits: { min: number; max: number }) {
  const clock = new ManualClock()
  const { localWorkers, start } = makeLocalWorkers()
  const load = { dueHosts: 0 }
  const workers = { backlog: async () => load, list: async () => [] } as unknown as Workers
  const fleet = new Fleet(limits, { workers, start, clock, log: silentLog })
  const check = async (times = 1) => {
    for (let i = 0; i < times; i++) {
      clock.advance(2000)
      for (let turn = 0; turn < 5; turn++) await setImmediate()
    }
  }
  return { fleet, localWorkers, load, check }
}

describe('Fleet', () => {
  it('starts with the minimum, grows while hosts are due, and shrinks when it is quiet', async () => {
    const { fleet, localWorkers, load, check } = makeFleet({ min: 1, max: 3 })
    const running = fleet.run()
    await check()
    assert.equal(fleet.size, 1)
    load.dueHosts = 500
    await check(4)
    assert.equal(fleet.size, 3)
    load.dueHosts = 0
    await check(40)
    assert.equal(fleet.size, 1)
    assert.deepEqual(
      localWorkers.map(({ isDrained }) => isDrained),
      [false, true, true],
    )
    fleet.stop()
    await running
    assert.equal(fleet.size, 0)
  })

  it('replaces a process that died', async () => {
    const { fleet, localWorkers, check } = makeFleet({ min: 2, max: 3 })
    const running = fleet.run()
    await check(4)
    localWorkers[0]?.end(null)
    await check(2)
    assert.equal(localWorkers.length, 3)
    assert.equal(fleet.size, 2)
    fleet.stop()
    await running
  })

  it('does not restart a process that exits at once again and again', async () => {
    const { fleet, localWorkers, check } = makeFleet({ min: 1, max: 3 })
    const running = fleet.run()
    await check()
    for (let i = 0; i < 10; i++) {
      localWorkers.at(-1)?.end(1)
      await check()
    }
    assert.ok(localWorkers.length <= 6, `${localWorkers.length} were started in 20 seconds`)
    fleet.stop()
    await running
  })
})
