import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AdaptiveCache } from './adaptive-cache.ts'
import { ManualClock } from './testing/manual-clock.ts'

describe('a cached value', () => {
  it('is computed once for concurrent callers and cached ten times as long as it took', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now())
    let computed = 0
    const compute = async () => {
      clock.advance(1000)
      computed += 1
      return computed
    }
    assert.deepEqual(await Promise.all([adaptiveCache.get('a', compute), adaptiveCache.get('a', compute)]), [1, 1])
    clock.advance(9_999)
    assert.equal(await adaptiveCache.get('a', compute), 1)
    clock.advance(1)
    assert.equal(await adaptiveCache.get('a', compute), 2)
    assert.equal(await adaptiveCache.get('b', compute), 3)
  })

  it('that was cheap is cached for two seconds', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now())
    const compute = async () => clock.now()
    const first = await adaptiveCache.get('a', compute)
    clock.advance(1_999)
    assert.equal(await adaptiveCache.get('a', compute), first)
    clock.advance(1)
    assert.notEqual(await adaptiveCache.get('a', compute), first)
  })

  it('whose computation failed is computed again', async () => {
    const adaptiveCache = new AdaptiveCache<string>(() => 0)
    await assert.rejects(adaptiveCache.get('a', () => Promise.reject(new Error('no'))))
    assert.equal(await adaptiveCache.get('a', async () => 'yes'), 'yes')
  })

  it('is dropped when it expires or when there are too many', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now(), { maxEntries: 2 })
    let computed = 0
    const compute = async () => ++computed
    for (const key of ['a', 'b', 'c']) await adaptiveCache.get(key, compute)
    assert.equal(await adaptiveCache.get('c', compute), 3)
    assert.equal(await adaptiveCache.get('b', compute), 2)
    assert.equal(await adaptiveCache.get('a', compute), 4)
    assert.equal(adaptiveCache.size, 2)
    clock.advance(2_000)
    await adaptiveCache.get('d', compute)
    assert.equal(adaptiveCache.size, 1)
  })

  it('that has expired is served while the next one is computed, if servesStale is set', async () => {
    const clock = new ManualClock()
    const adaptiveCache = new AdaptiveCache<number>(() => clock.now(), { servesStale: true })
    let computed = 0
    let isSlow = false
    const slow = Promise.withResolvers<void>()
    const compute = async () => {
      if (isSlow) await slow.promise
      computed += 1
      return computed
    }
    assert.equal(await adaptiveCache.get('a', compute), 1)
    isSlow = true
    clock.advance(2_000)
    assert.deepEqual([await adaptiveCache.get('a', compute), await adaptiveCache.get('a', compute)], [1, 1])
    slow.resolve()
    await new Promise(setImmediate)
    assert.equal(computed, 2)
    assert.equal(await adaptiveCache.get('a', compute), 2)
    // The value is too old to be served stale, so the caller waits.
    clock.advance(4_000)
    assert.equal(await adaptiveCache.get('a', compute), 3)
  })

  it('that has expired is served for a limited time if the next computation fails', async () => {
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

  it('is dropped, oldest first, if the size limit is exceeded', async () => {
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
