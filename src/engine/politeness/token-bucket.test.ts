import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../lib/seeded-random.ts'
import { TokenBucket } from './token-bucket.ts'

const NOW = 1_000_000

/** Takes tokens as soon as they are available, until `end`. */
function takeAll(bucket: TokenBucket, from: number, end: number): number[] {
  const taken: number[] = []
  for (let now = Math.max(from, bucket.nextAt); now < end; now = Math.max(now, bucket.nextAt)) {
    bucket.take(now)
    taken.push(now)
  }
  return taken
}

describe('a token bucket', () => {
  it('gives a whole burst after a long pause, and then one token per interval', () => {
    const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, 0)
    assert.deepEqual(takeAll(bucket, NOW, NOW + 1001), [NOW, NOW, NOW, NOW + 500, NOW + 1000])
  })

  it('has one token when a host was just requested by another thread', () => {
    const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, NOW)
    assert.deepEqual(takeAll(bucket, NOW, NOW + 1001), [NOW, NOW + 500, NOW + 1000])
  })

  it('refills while nothing is taken, up to the burst', () => {
    const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, NOW)
    takeAll(bucket, NOW, NOW + 1)
    assert.equal(takeAll(bucket, NOW + 1000, NOW + 1001).length, 2)
    assert.equal(takeAll(bucket, NOW + 60_000, NOW + 60_001).length, 3)
  })

  it('never gives more than the burst and the refill in any window', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 200; round++) {
      const rate = { perSecond: 0.1 + random.below(100) / 10, burst: 1 + random.below(8) }
      const bucket = new TokenBucket(rate, 0)
      const taken: number[] = []
      for (let now = NOW; now < NOW + 20_000; now += random.below(400)) {
        if (bucket.nextAt > now) continue
        bucket.take(now)
        taken.push(now)
      }
      for (const [i, from] of taken.entries()) {
        for (const [j, to] of taken.entries()) {
          if (j < i) continue
          const allowed = rate.burst + ((to - from) / 1000) * rate.perSecond
          assert.ok(j - i + 1 <= allowed + 1e-6, `${j - i + 1} in ${to - from} ms at ${JSON.stringify(rate)}`)
        }
      }
    }
  })
})
