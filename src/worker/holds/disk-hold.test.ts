import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { DiskHold, type DiskLimits } from './disk-hold.ts'
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
  const hold = new DiskHold(limits, { usedBytes, freeBytes: async () => disk.free, clock, holds })
  /** Runs the next check. */
  const check = async () => {
    clock.advance(1000)
    await setImmediate()
  }
  return { disk, clock, holds, hold, check }
}

test('crawls are on hold when the directory reaches its limit, and continue when there is space', async () => {
  const { disk, holds, hold, check } = open({ maxBytes: 10 * MB, minFreeBytes: 0 })
  await hold.start()
  const seen = [holds.reason]
  for (const used of [9 * MB, 10 * MB, 12 * MB, 10 * MB, 9 * MB]) {
    disk.used = used
    await check()
    seen.push(holds.reason)
  }
  assert.deepEqual(seen, [null, null, 'max_disk', 'max_disk', 'max_disk', null])
})

test('crawls are on hold while the disk has too little free space, whatever the limit', async () => {
  const { disk, holds, hold, check } = open({ maxBytes: 10 * MB, minFreeBytes: 200 * MB })
  disk.free = 199 * MB
  await hold.start()
  assert.equal(holds.reason, 'low_disk')
  disk.used = 11 * MB
  await check()
  assert.equal(holds.reason, 'low_disk')
  disk.free = 200 * MB
  await check()
  assert.equal(holds.reason, 'max_disk')
})

test('without limits nothing is put on hold and no file is read', async () => {
  const { disk, holds, hold, check } = open({ maxBytes: 0, minFreeBytes: 0 })
  Object.assign(disk, { used: 1e15, free: 0 })
  await hold.start()
  await check()
  assert.deepEqual([holds.reason, disk.added], [null, 0])
})

test('a stopped check ends its hold and runs no more', async () => {
  const { disk, clock, holds, hold } = open({ maxBytes: 10 * MB, minFreeBytes: 0 })
  disk.used = 20 * MB
  await hold.start()
  hold.stop()
  assert.deepEqual([holds.reason, clock.nextAt()], [null, null])
})

test('a failing first check rejects start, a later one rejects `failure`', async () => {
  const { disk, hold, check } = open({ maxBytes: 0, minFreeBytes: 1 })
  await hold.start()
  Object.defineProperty(disk, 'free', { get: () => assert.fail('the disk is gone') })
  await check()
  await assert.rejects(hold.failure, /the disk is gone/)
  await assert.rejects(hold.start(), /the disk is gone/)
})
