import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY } from '../../ports/frontier.ts'
import type { Host } from './hosts.ts'
import { Schedule } from './schedule.ts'
import { TimeHeap } from './time-heap.ts'

function hostNamed(id: number): Host {
  const pace = { nextAt: 0, responseMs: 0, gapMs: 0, concurrencyLimit: 0, health: HEALTHY }
  return { id, name: `host${id}`, ...pace, busy: 0, kept: null }
}

/** A schedule with one host for each rank given; host ids count from 1. */
function scheduleOf(ranks: number[]): Schedule {
  const schedule = new Schedule(1)
  ranks.forEach((rank, i) => {
    const queue = schedule.queueOf(hostNamed(i + 1))
    queue.free = 1
    queue.rank = rank
    schedule.place(queue, 0)
  })
  return schedule
}

describe('Schedule', () => {
  it('hands out the better rank first, unless chance has it otherwise', () => {
    assert.equal(scheduleOf([5, 1, 10]).take(0, () => 0)?.rank, 1)
    const luck = [0.9, 0.9, 0]
    assert.equal(scheduleOf([5, 1, 10]).take(0, () => luck.shift() ?? 1)?.rank, 10)
  })

  it('hands out hosts of one rank in turn', () => {
    const schedule = scheduleOf([3, 3, 3])
    const order = [1, 2, 3].map(() => schedule.take(0, () => 0)?.host.id)
    assert.deepEqual(order, [1, 2, 3])
    assert.equal(
      schedule.take(0, () => 0),
      undefined,
    )
  })

  it('holds a host back until its time, and tells when that is', () => {
    const schedule = new Schedule(1)
    const queue = schedule.queueOf({ ...hostNamed(1), nextAt: 500 })
    queue.free = 1
    schedule.place(queue, 0)
    assert.equal(
      schedule.take(499, () => 0),
      undefined,
    )
    assert.equal(schedule.nextDueAt(), 500)
    assert.equal(
      schedule.take(500, () => 0),
      queue,
    )
  })

  it('a host whose slots are all leased comes back when it is placed again', () => {
    const schedule = new Schedule(1)
    const host = { ...hostNamed(1), busy: 1 }
    const queue = schedule.queueOf(host)
    queue.free = 1
    schedule.place(queue, 0)
    assert.equal(
      schedule.take(0, () => 0),
      undefined,
    )
    host.busy = 0
    schedule.place(queue, 0)
    assert.equal(
      schedule.take(0, () => 0),
      queue,
    )
  })
})

describe('TimeHeap', () => {
  it('gives values back by time, and none before its time', () => {
    const heap = new TimeHeap<string>()
    for (const [time, value] of [
      [5, 'e'],
      [1, 'a'],
      [3, 'c'],
      [4, 'd'],
      [2, 'b'],
    ] as const)
      heap.push(time, value)
    assert.equal(heap.popDue(0), undefined)
    assert.equal(heap.peekTime(), 1)
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => heap.popDue(9)),
      ['a', 'b', 'c', 'd', 'e'],
    )
    assert.equal(heap.peekTime(), null)
  })
})
