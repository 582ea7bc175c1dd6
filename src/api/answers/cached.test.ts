import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/manual-clock.ts'
import { Cached } from './cached.ts'

describe('a costly answer', () => {
  it('is made once for those who ask at the same time, and kept ten times as long as it took', async () => {
    const clock = new ManualClock()
    const cached = new Cached<number>(clock)
    let made = 0
    const make = async () => {
      clock.advance(1000)
      made += 1
      return made
    }
    assert.deepEqual(await Promise.all([cached.get('a', make), cached.get('a', make)]), [1, 1])
    clock.advance(9_999)
    assert.equal(await cached.get('a', make), 1)
    clock.advance(1)
    assert.equal(await cached.get('a', make), 2)
    assert.equal(await cached.get('b', make), 3)
  })

  it('that was cheap is kept for two seconds', async () => {
    const clock = new ManualClock()
    const cached = new Cached<number>(clock)
    const make = async () => clock.now()
    const first = await cached.get('a', make)
    clock.advance(1_999)
    assert.equal(await cached.get('a', make), first)
    clock.advance(1)
    assert.notEqual(await cached.get('a', make), first)
  })

  it('that failed is tried again', async () => {
    const cached = new Cached<string>(new ManualClock())
    await assert.rejects(cached.get('a', () => Promise.reject(new Error('no'))))
    assert.equal(await cached.get('a', async () => 'yes'), 'yes')
  })

  it('is not kept beyond its time, nor beside more than there is room for', async () => {
    const clock = new ManualClock()
    const cached = new Cached<number>(clock, 2)
    let made = 0
    const make = async () => ++made
    for (const key of ['a', 'b', 'c']) await cached.get(key, make)
    assert.equal(await cached.get('c', make), 3)
    assert.equal(await cached.get('b', make), 2)
    assert.equal(await cached.get('a', make), 4)
    assert.equal(cached.size, 2)
    clock.advance(2_000)
    await cached.get('d', make)
    assert.equal(cached.size, 1)
  })
})
