import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { silentLog } from '../../lib/log.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { Workers } from '../../ports/workers.ts'
import { Fleet, type LocalWorker } from './fleet.ts'

/** Processes that end when they are told to. */
function makeHands() {
  const hands: (LocalWorker & { end: (code: number | null) => void; isDrained: boolean })[] = []
  const start = () => {
    const { promise, resolve } = Promise.withResolvers<number | null>()
    const hand = {
      pid: hands.length + 1,
      ended: promise,
      end: resolve,
      isDrained: false,
      drain() {
        hand.isDrained = true
        resolve(0)
      },
    }
    hands.push(hand)
    return hand
  }
  return { hands, start }
}

function makeFleet(limits: { min: number; max: number }) {
  const clock = new ManualClock()
  const { hands, start } = makeHands()
  const load = { dueHosts: 0 }
  const workers = { backlog: async () => load, list: async () => [] } as unknown as Workers
  const fleet = new Fleet(limits, { workers, start, clock, log: silentLog })
  const look = async (times = 1) => {
    for (let i = 0; i < times; i++) {
      clock.advance(2000)
      for (let turn = 0; turn < 5; turn++) await setImmediate()
    }
  }
  return { fleet, hands, load, look }
}

describe('Fleet', () => {
  it('starts with the fewest, grows while hosts wait, and shrinks when it is quiet', async () => {
    const { fleet, hands, load, look } = makeFleet({ min: 1, max: 3 })
    const running = fleet.run()
    await look()
    assert.equal(fleet.size, 1)
    load.dueHosts = 500
    await look(4)
    assert.equal(fleet.size, 3)
    load.dueHosts = 0
    await look(40)
    assert.equal(fleet.size, 1)
    assert.deepEqual(
      hands.map(({ isDrained }) => isDrained),
      [false, true, true],
    )
    fleet.stop()
    await running
    assert.equal(fleet.size, 0)
  })

  it('replaces a process that died', async () => {
    const { fleet, hands, look } = makeFleet({ min: 2, max: 3 })
    const running = fleet.run()
    await look(4)
    hands[0]?.end(null)
    await look(2)
    assert.equal(hands.length, 3)
    assert.equal(fleet.size, 2)
    fleet.stop()
    await running
  })

  it('a process that ends at once is not started again and again', async () => {
    const { fleet, hands, look } = makeFleet({ min: 1, max: 3 })
    const running = fleet.run()
    await look()
    for (let i = 0; i < 10; i++) {
      hands.at(-1)?.end(1)
      await look()
    }
    assert.ok(hands.length <= 6, `${hands.length} were started in 20 seconds`)
    fleet.stop()
    await running
  })
})
