import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HEALTHY_HOST } from '../../../../ports/leases.ts'
import type { Host } from '../hosts.ts'
import { HostSchedule } from './host-schedule.ts'
import { TimeHeap } from './time-heap.ts'

function hostNamed(id: number): Host {
  const pace = {
    nextAt: 0,
    savedNextAt: 0,
    mayHaveUnreportedRequest: false,
    responseMs: 0,
    gapMs: 0,
    concurrencyLimit: 0,
    health: HEALTHY_HOST,
  }
  return { id, name: `host${id}`, ...pace, leasedSlots: 0, reservation: null, policy: null }
}

/** A schedule with one host per rank. Host ids start at 1. */
function scheduleOf(ranks: number[]): HostSchedule {
  const hostSchedule = new HostSchedule(1)
  ranks.forEach((rank, i) => {
    const queue = hostSchedule.queueOf(hostNamed(i + 1))
    queue.claimable = 1
    queue.rank = rank
    hostSchedule.reschedule(queue, 0)
  })
  return hostSchedule
}

describe('HostSchedule', () => {
  it('takes the best rank first, except at random', () => {
    assert.equal(scheduleOf([5, 1, 10]).takeDueHost(0, () => 0)?.rank, 1)
    const luck = [0.9, 0.9, 0]
    assert.equal(scheduleOf([5, 1, 10]).takeDueHost(0, () => luck.shift() ?? 1)?.rank, 10)
  })

  it('takes hosts of one rank in turn', () => {
    const hostSchedule = scheduleOf([3, 3, 3])
    const order = [1, 2, 3].map(() => hostSchedule.takeDueHost(0, () => 0)?.host.id)
    assert.deepEqual(order, [1, 2, 3])
    assert.equal(
      hostSchedule.takeDueHost(0, () => 0),
      undefined,
    )
  })

  it('keeps a host until it is due, and knows when that is', () => {
    const hostSchedule = new HostSchedule(1)
    const queue = hostSchedule.queueOf({ ...hostNamed(1), nextAt: 500 })
    queue.claimable = 1
    hostSchedule.reschedule(queue, 0)
    assert.equal(
      hostSchedule.takeDueHost(499, () => 0),
      undefined,
    )
    assert.equal(hostSchedule.nextDueAt(), 500)
    assert.equal(
      hostSchedule.takeDueHost(500, () => 0),
      queue,
    )
  })

  it('brings back a host whose slots were all leased once it is rescheduled', () => {
    const hostSchedule = new HostSchedule(1)
    const host = { ...hostNamed(1), leasedSlots: 1 }
    const queue = hostSchedule.queueOf(host)
    queue.claimable = 1
    hostSchedule.reschedule(queue, 0)
    assert.equal(
      hostSchedule.takeDueHost(0, () => 0),
      undefined,
    )
    host.leasedSlots = 0
    hostSchedule.reschedule(queue, 0)
    assert.equal(
      hostSchedule.takeDueHost(0, () => 0),
      queue,
    )
  })
})

describe('TimeHeap', () => {
  it('returns values by time, and none before it is due', () => {
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
