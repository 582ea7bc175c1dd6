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
  /** Runs the next check. */
  const check = async () => {
    clock.advance(1000)
    await setImmediate()
  }
  return { disk, clock, holds, watch, check }
}

test('crawls are on hold when the directory reaches its limit, and continue when there is space', async () => {
  const { disk, holds, watch, check } = open({ maxBytes: 10 * MB, minFreeBytes: 0 })
  await watch.start()
  const seen = [holds.reason]
  for (const used of [9 * MB, 10 * MB, 12 * MB, 10 * MB, 9 * MB]) {
    disk.used = used
    await check()
    seen.push(holds.reason)
  }
  assert.deepEqual(seen, [null, null, 'max_disk', 'max_disk', 'max_disk', null])
})

test('crawls are on hold while the disk has too little free space, whatever the limit', async () => {
  const { disk, holds, watch, check } = open({ maxBytes: 10 * MB, minFreeBytes: 200 * MB })
  disk.free = 199 * MB
  await watch.start()
  assert.equal(holds.reason, 'low_disk')
  disk.used = 11 * MB
  await check()
  assert.equal(holds.reason, 'low_disk')
  disk.free = 200 * MB
  await check()
  assert.equal(holds.reason, 'max_disk')
})

test('without limits nothing is put on hold and no file is read', async () => {
  const { disk, holds, watch, check } = open({ maxBytes: 0, minFreeBytes: 0 })
  Object.assign(disk, { used: 1e15, free: 0 })
  await watch.start()
  await check()
  assert.deepEqual([holds.reason, disk.added], [null, 0])
})

test('a stopped watch checks no more and holds nothing', async () => {
  const { disk, clock, holds, watch } = open({ maxBytes: 10 * MB, minFreeBytes: 0 })
  disk.used = 20 * MB
  await watch.start()
  watch.stop()
  assert.deepEqual([holds.reason, clock.nextAt()], [null, null])
})

test('a failing first check rejects start, a later one rejects `failure`', async () => {
  const { disk, watch, check } = open({ maxBytes: 0, minFreeBytes: 1 })
  await watch.start()
  Object.defineProperty(disk, 'free', { get: () => assert.fail('the disk is gone') })
  await check()
  await assert.rejects(watch.failure, /the disk is gone/)
  await assert.rejects(watch.start(), /the disk is gone/)
})
