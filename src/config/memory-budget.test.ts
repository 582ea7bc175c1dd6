import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultMemory, divideMemory, MIN_MEMORY } from './memory-budget.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const SEEN_URLS = 4_000_000

describe('the memory budget', () => {
  it('is half of what the machine has, within bounds', () => {
    assert.equal(defaultMemory(1.5 * GIB), 768 * MIB)
    assert.equal(defaultMemory(64 * GIB), 4 * GIB)
    assert.equal(defaultMemory(64 * MIB), MIN_MEMORY)
  })

  it('leaves more than half to heaps and code, whatever its size', () => {
    for (const memory of [MIN_MEMORY, 600 * MIB, GIB, 4 * GIB, 16 * GIB]) {
      const { seenUrls, storeCacheBytes, ...shares } = divideMemory({ memory, seenUrls: SEEN_URLS })
      const bytes = Object.values(shares).reduce((sum, share) => sum + share, 4 * storeCacheBytes + 12 * seenUrls)
      assert.ok(bytes < memory / 2, `${bytes} of ${memory}`)
    }
  })

  it('gives each share in proportion, and half of the usual at least', () => {
    const sharesOf = (memory: number) => divideMemory({ memory, seenUrls: SEEN_URLS })
    assert.equal(sharesOf(4 * GIB).storeCacheBytes, 8 * MIB)
    assert.equal(sharesOf(8 * GIB).pageCacheBytes, 2 * sharesOf(4 * GIB).pageCacheBytes)
    assert.equal(sharesOf(MIN_MEMORY).storeCacheBytes, 4 * MIB)
  })

  it('bounds the urls that are remembered, and remembers no more than is wanted', () => {
    const seenUrls = (memory: number, wanted: number) => divideMemory({ memory, seenUrls: wanted }).seenUrls
    assert.equal(seenUrls(MIN_MEMORY, SEEN_URLS), Math.floor((32 * MIB) / 12))
    assert.equal(seenUrls(4 * GIB, SEEN_URLS), SEEN_URLS)
    assert.equal(seenUrls(MIN_MEMORY, 1000), 1000)
  })
})
