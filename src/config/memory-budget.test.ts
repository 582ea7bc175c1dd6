import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultMemory, divideMemory, MIN_MEMORY } from './memory-budget.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const SEEN_URLS = 4_000_000

describe('the memory budget', () => {
  it('is half the memory of the machine, within bounds', () => {
    assert.equal(defaultMemory(1.5 * GIB), 768 * MIB)
    assert.equal(defaultMemory(64 * GIB), 4 * GIB)
    assert.equal(defaultMemory(64 * MIB), MIN_MEMORY)
  })

  it('leaves more than half for heaps and code, at any size', () => {
    for (const memory of [MIN_MEMORY, 600 * MIB, GIB, 4 * GIB, 16 * GIB]) {
      const { seenUrls, storeCacheBytes, ...shares } = divideMemory({ memory, seenUrls: SEEN_URLS })
      const bytes = Object.values(shares).reduce((sum, share) => sum + share, 4 * storeCacheBytes + 12 * seenUrls)
      assert.ok(bytes < memory / 2, `${bytes} of ${memory}`)
    }
  })

  it('scales every share, down to half of the usual', () => {
    const sharesOf = (memory: number) => divideMemory({ memory, seenUrls: SEEN_URLS })
    assert.equal(sharesOf(4 * GIB).storeCacheBytes, 8 * MIB)
    assert.equal(sharesOf(8 * GIB).pageCacheBytes, 2 * sharesOf(4 * GIB).pageCacheBytes)
    assert.equal(sharesOf(MIN_MEMORY).storeCacheBytes, 4 * MIB)
  })

  it('limits the remembered URLs, and never exceeds the setting', () => {
    const seenUrls = (memory: number, wanted: number) => divideMemory({ memory, seenUrls: wanted }).seenUrls
    assert.equal(seenUrls(MIN_MEMORY, SEEN_URLS), Math.floor((32 * MIB) / 12))
    assert.equal(seenUrls(4 * GIB, SEEN_URLS), SEEN_URLS)
    assert.equal(seenUrls(MIN_MEMORY, 1000), 1000)
  })
})
