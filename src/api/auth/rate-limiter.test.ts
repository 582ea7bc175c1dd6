import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { RateLimiter } from './rate-limiter.ts'

describe('the rate limiter', () => {
  it('allows a burst, then the rate per second, separately for each name', () => {
    const clock = new ManualClock()
    const limit = new RateLimiter({ perSecond: 2, burst: 3 }, clock)
    const take = (name: string) => Array.from({ length: 4 }, () => limit.take(name))
    assert.deepEqual(take('a'), [0, 0, 0, 1])
    assert.deepEqual(take('b'), [0, 0, 0, 1])
    clock.advance(1000)
    assert.deepEqual(take('a'), [0, 0, 1, 1])
    clock.advance(60_000)
    assert.deepEqual(take('a'), [0, 0, 0, 1])
  })

  it('returns how long to wait', () => {
    const limit = new RateLimiter({ perSecond: 0.1, burst: 1 }, new ManualClock())
    assert.deepEqual([limit.take('a'), limit.take('a')], [0, 10])
  })

  it('drops the least recently used names if there are too many', () => {
    const limit = new RateLimiter({ perSecond: 1, burst: 1 }, new ManualClock())
    for (let i = 0; i < 20_000; i++) {
      limit.take(`other ${i}`)
      limit.take('mine')
    }
    assert.equal(limit.take('mine'), 1)
    assert.equal(limit.take('other 0'), 0)
  })
})
