import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultMemory, divideMemory, LEAST_MEMORY } from './memory.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const SEEN_URLS = 4_000_000

describe('the memory budget', () => {
  it('is half of what the machine has, within bounds', () => {
    assert.equal(defaultMemory(1.5 * GIB), 768 * MIB)
    assert.equal(defaultMemory(64 * GIB), GIB)
    assert.equal(defaultMemory(64 * MIB), LEAST_MEMORY)
  })

  it('leaves three quarters to heaps and code, whatever its size', () => {
    for (const memory of [LEAST_MEMORY, 600 * MIB, GIB, 16 * GIB]) {
      const { seenUrls, storeCacheBytes, ...shares } = divideMemory({ memory, seenUrls: SEEN_URLS })
      const bytes = Object.values(shares).reduce((sum, share) => sum + share, 4 * storeCacheBytes + 12 * seenUrls)
      assert.ok(bytes < memory / 4, `${bytes} of ${memory}`)
      for (const [name, share] of Object.entries(shares)) assert.ok(share >= 2 * MIB, name)
    }
  })

  it('gives each share in proportion', () => {
    const small = divideMemory({ memory: LEAST_MEMORY, seenUrls: SEEN_URLS })
    const large = divideMemory({ memory: 4 * LEAST_MEMORY, seenUrls: SEEN_URLS })
    assert.equal(large.pageCacheBytes, 4 * small.pageCacheBytes)
    assert.equal(large.storeCacheBytes, 8 * MIB)
  })

  it('bounds the urls that are remembered, and remembers no more than is wanted', () => {
    assert.equal(divideMemory({ memory: LEAST_MEMORY, seenUrls: SEEN_URLS }).seenUrls, Math.floor((16 * MIB) / 12))
    assert.equal(divideMemory({ memory: GIB, seenUrls: 1000 }).seenUrls, 1000)
  })
})
