import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { Holds } from './holds.ts'
import { MemoryWatch } from './memory-watch.ts'

function bench() {
  const clock = new ManualClock()
  const holds = new Holds()
  const memory = { usedBytes: 50 }
  const watch = new MemoryWatch(100, { usedBytes: () => memory.usedBytes, clock, holds })
  const cleared: number[] = []
  watch.addCache(() => void cleared.push(clock.now()))
  watch.start(null)
  return { clock, holds, memory, watch, cleared }
}

describe('a process that takes more than its memory budget', () => {
  it('empties its caches and holds the crawl until there is room', () => {
    const { clock, holds, memory, cleared } = bench()
    clock.advance(5_000)
    assert.deepEqual([holds.held, cleared.length], [null, 0])
    memory.usedBytes = 101
    clock.advance(1_000)
    assert.deepEqual([holds.held, cleared.length], ['memory', 1])
    memory.usedBytes = 96
    clock.advance(1_000)
    assert.equal(holds.held, 'memory')
    memory.usedBytes = 94
    clock.advance(1_000)
    assert.equal(holds.held, null)
  })

  it('never holds it for good: it goes on after a while, and rests before the next hold', () => {
    const { clock, holds, memory, cleared } = bench()
    memory.usedBytes = 200
    clock.advance(1_000)
    assert.equal(holds.held, 'memory')
    clock.advance(10_000)
    assert.equal(holds.held, null)
    clock.advance(9_000)
    assert.equal(holds.held, null)
    clock.advance(1_000)
    assert.deepEqual([holds.held, cleared.length], ['memory', 2])
  })

  it('gives its hold back when it ends', () => {
    const { clock, holds, memory, watch } = bench()
    memory.usedBytes = 200
    clock.advance(1_000)
    watch.stop()
    assert.equal(holds.held, null)
    clock.advance(60_000)
    assert.equal(holds.held, null)
  })
})
