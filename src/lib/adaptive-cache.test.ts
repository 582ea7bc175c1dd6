import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AdaptiveCache } from './adaptive-cache.ts'
import { ManualClock } from './testing/manual-clock.ts'

describe('a costly value', () => {
  it('is made once for those who ask at the same time, and kept ten times as long as it took', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now())
    let made = 0
    const make = async () => {
      clock.advance(1000)
      made += 1
      return made
    }
    assert.deepEqual(await Promise.all([adaptiveCache.get('a', make), adaptiveCache.get('a', make)]), [1, 1])
    clock.advance(9_999)
    assert.equal(await adaptiveCache.get('a', make), 1)
    clock.advance(1)
    assert.equal(await adaptiveCache.get('a', make), 2)
    assert.equal(await adaptiveCache.get('b', make), 3)
  })

  it('that was cheap is kept for two seconds', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now())
    const make = async () => clock.now()
    const first = await adaptiveCache.get('a', make)
    clock.advance(1_999)
    assert.equal(await adaptiveCache.get('a', make), first)
    clock.advance(1)
    assert.notEqual(await adaptiveCache.get('a', make), first)
  })

  it('that failed is tried again', async () => {
    const adaptiveCache = new AdaptiveCache<string>(() => 0)
    await assert.rejects(adaptiveCache.get('a', () => Promise.reject(new Error('no'))))
    assert.equal(await adaptiveCache.get('a', async () => 'yes'), 'yes')
  })

  it('is not kept beyond its time, nor beside more than there is room for', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now(), { maxEntries: 2 })
    let made = 0
    const make = async () => ++made
    for (const key of ['a', 'b', 'c']) await adaptiveCache.get(key, make)
    assert.equal(await adaptiveCache.get('c', make), 3)
    assert.equal(await adaptiveCache.get('b', make), 2)
    assert.equal(await adaptiveCache.get('a', make), 4)
    assert.equal(adaptiveCache.size, 2)
    clock.advance(2_000)
    await adaptiveCache.get('d', make)
    assert.equal(adaptiveCache.size, 1)
  })

  it('that is over is given out once more as long while the next is made, if that is wanted', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now(), { servesStale: true })
    let made = 0
    let isSlow = false
    const slow = Promise.withResolvers<void>()
    const make = async () => {
      if (isSlow) await slow.promise
      made += 1
      return made
    }
    assert.equal(await adaptiveCache.get('a', make), 1)
    isSlow = true
    clock.advance(2_000)
    assert.deepEqual([await adaptiveCache.get('a', make), await adaptiveCache.get('a', make)], [1, 1])
    slow.resolve()
    await new Promise(setImmediate)
    assert.equal(made, 2)
    assert.equal(await adaptiveCache.get('a', make), 2)
    // Too old to be served stale: the caller waits.
    clock.advance(4_000)
    assert.equal(await adaptiveCache.get('a', make), 3)
  })

  it('that is over serves while others fail to make the next, and no longer', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now(), { servesStale: true })
    assert.equal(await adaptiveCache.get('a', async () => 1), 1)
    const fail = () => Promise.reject(new Error('no'))
    clock.advance(2_000)
    assert.equal(await adaptiveCache.get('a', fail), 1)
    await new Promise(setImmediate)
    clock.advance(2_000)
    await assert.rejects(adaptiveCache.get('a', fail))
  })

  it('takes no more room than there is, and the oldest goes first', async () => {
    const adaptiveCache = new AdaptiveCache<number>(() => 0, { maxBytes: 100, sizeOf: (bytes) => bytes })
    for (const key of ['a', 'b', 'c', 'd', 'e']) await adaptiveCache.get(key, async () => 24)
    assert.deepEqual([adaptiveCache.size, adaptiveCache.bytes], [4, 96])
    assert.equal(await adaptiveCache.get('b', () => assert.fail('it is there')), 24)
    assert.equal(await adaptiveCache.get('large', async () => 26), 26)
    assert.deepEqual([adaptiveCache.size, adaptiveCache.bytes], [4, 96])
    adaptiveCache.clear()
    assert.deepEqual([adaptiveCache.size, adaptiveCache.bytes], [0, 0])
  })
})
