import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { Holds } from './holds.ts'
import { MemoryHold } from './memory-hold.ts'

function setUp() {
  const clock = new ManualClock()
  const holds = new Holds()
  const memory = { usedBytes: 50 }
  const hold = new MemoryHold(100, { usedBytes: () => memory.usedBytes, clock, holds })
  const cleared: number[] = []
  hold.addCache(() => void cleared.push(clock.now()))
  hold.start(null)
  return { clock, holds, memory, hold, cleared }
}

describe('a process that exceeds its memory budget', () => {
  it('clears its caches and holds the crawls until memory is free', () => {
    const { clock, holds, memory, cleared } = setUp()
    clock.advance(5_000)
    assert.deepEqual([holds.reason, cleared.length], [null, 0])
    memory.usedBytes = 101
    clock.advance(1_000)
    assert.deepEqual([holds.reason, cleared.length], ['memory', 1])
    memory.usedBytes = 96
    clock.advance(1_000)
    assert.equal(holds.reason, 'memory')
    memory.usedBytes = 94
    clock.advance(1_000)
    assert.equal(holds.reason, null)
  })

  it('ends a hold after a while, and waits before the next one', () => {
    const { clock, holds, memory, cleared } = setUp()
    memory.usedBytes = 200
    clock.advance(1_000)
    assert.equal(holds.reason, 'memory')
    clock.advance(10_000)
    assert.equal(holds.reason, null)
    clock.advance(9_000)
    assert.equal(holds.reason, null)
    clock.advance(1_000)
    assert.deepEqual([holds.reason, cleared.length], ['memory', 2])
  })

  it('releases its hold when it is stopped', () => {
    const { clock, holds, memory, hold } = setUp()
    memory.usedBytes = 200
    clock.advance(1_000)
    hold.stop()
    assert.equal(holds.reason, null)
    clock.advance(60_000)
    assert.equal(holds.reason, null)
  })
})
