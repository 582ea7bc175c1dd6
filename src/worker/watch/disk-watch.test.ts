import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { type DiskLimits, DiskWatch } from './disk-watch.ts'
import { Holds } from './holds.ts'

const MB = 1_000_000

function open(limits: DiskLimits) {
  const disk = { used: 0, free: 1000 * MB, added: 0 }
  const clock = new ManualClock()
  const holds = new Holds()
  const usedBytes = async () => {
    disk.added += 1
    return disk.used
  }
  const watch = new DiskWatch(limits, { usedBytes, freeBytes: async () => disk.free, clock, holds })
  /** The next look, which reads the disk and then acts. */
  const look = async () => {
    clock.advance(1000)
    await setImmediate()
  }
  return { disk, clock, holds, watch, look }
}

test('a crawl is held when its directory reaches the budget, and goes on when there is room', async () => {
  const { disk, holds, watch, look } = open({ maxBytes: 10 * MB, minFreeBytes: 0 })
  await watch.start()
  const seen = [holds.held]
  for (const used of [9 * MB, 10 * MB, 12 * MB, 10 * MB, 9 * MB]) {
    disk.used = used
    await look()
    seen.push(holds.held)
  }
  assert.deepEqual(seen, [null, null, 'max_disk', 'max_disk', 'max_disk', null])
})

test('a crawl is held while the disk has too little room, whatever the budget', async () => {
  const { disk, holds, watch, look } = open({ maxBytes: 10 * MB, minFreeBytes: 200 * MB })
  disk.free = 199 * MB
  await watch.start()
  assert.equal(holds.held, 'low_disk')
  disk.used = 11 * MB
  await look()
  assert.equal(holds.held, 'low_disk')
  disk.free = 200 * MB
  await look()
  assert.equal(holds.held, 'max_disk')
})

test('without limits nothing is held and no file is looked at', async () => {
  const { disk, holds, watch, look } = open({ maxBytes: 0, minFreeBytes: 0 })
  Object.assign(disk, { used: 1e15, free: 0 })
  await watch.start()
  await look()
  assert.deepEqual([holds.held, disk.added], [null, 0])
})

test('stopped, it looks no more and holds nothing', async () => {
  const { disk, clock, holds, watch } = open({ maxBytes: 10 * MB, minFreeBytes: 0 })
  disk.used = 20 * MB
  await watch.start()
  watch.stop()
  assert.deepEqual([holds.held, clock.nextAt()], [null, null])
})

test('a first look that fails is told by start, a later one by its trouble', async () => {
  const { disk, watch, look } = open({ maxBytes: 0, minFreeBytes: 1 })
  await watch.start()
  Object.defineProperty(disk, 'free', { get: () => assert.fail('the disk is gone') })
  await look()
  await assert.rejects(watch.failure, /the disk is gone/)
  await assert.rejects(watch.start(), /the disk is gone/)
})
