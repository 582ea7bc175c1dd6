import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Position } from '../../ports/archive.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { PageCache } from './page-cache.ts'
import type { ArchivedPage } from './read-archived-page.ts'

function at(segment: string): Position {
  return { segment, offset: 0, length: 1 }
}

function versionOf(id: number, more: Partial<PageVersion> = {}): PageVersion {
  return { id, isArchived: true, isDamaged: false, record: at('s'), payload: at('s'), ...more } as PageVersion
}

function pageOf(version: PageVersion, bytes: number, more: Partial<ArchivedPage> = {}): ArchivedPage {
  const payload = Buffer.alloc(bytes)
  const plain = { headers: [], html: null, text: '', links: [], author: null, pageCount: null, hasOwnHeaders: true }
  return { version, payload, body: payload, ...plain, ...more }
}

/** Every page has this size; `loads` are the ids that were not cached. */
function cacheOf(maxBytes: number, bytes: number, more: Partial<ArchivedPage> = {}) {
  const loads: number[] = []
  const cache = new PageCache(maxBytes, async (version) => {
    loads.push(version.id)
    return pageOf(version, bytes, more)
  })
  return { cache, loads }
}

describe('the page cache', () => {
  it('loads a page once for concurrent reads', async () => {
    const { cache, loads } = cacheOf(100_000, 10)
    const [a, b] = await Promise.all([cache.read(versionOf(1)), cache.read(versionOf(1))])
    assert.equal(a.body, b.body)
    assert.equal((await cache.read(versionOf(1))).body, a.body)
    assert.deepEqual(loads, [1])
  })

  it('does not retain the buffer that a page was sliced from', async () => {
    const payload = Buffer.alloc(65_536, 'x').subarray(100, 200)
    for (const body of [payload, Buffer.alloc(65_536, 'y').subarray(300, 350)]) {
      const { cache } = cacheOf(100_000, 10, { payload, body })
      const page = await cache.read(versionOf(1))
      assert.deepEqual([page.payload, page.body], [payload, body])
      assert.equal(page.payload.buffer.byteLength, payload.length)
      assert.equal(page.body.buffer.byteLength, body.length)
      assert.equal(page.body === page.payload, body === payload)
    }
  })

  it('returns the current version', async () => {
    const { cache, loads } = cacheOf(100_000, 10)
    await cache.read(versionOf(1, { resembles: 7 }))
    const later = versionOf(1, { resembles: null })
    assert.equal((await cache.read(later)).version, later)
    assert.deepEqual(loads, [1])
  })

  it('reads a page again if it was moved, lost or damaged', async () => {
    for (const change of [{ payload: at('t') }, { record: at('t') }, { payload: null }, { isDamaged: true }]) {
      const { cache, loads } = cacheOf(100_000, 10)
      await cache.read(versionOf(1))
      await cache.read(versionOf(1, change))
      assert.deepEqual(loads, [1, 1], JSON.stringify(change))
    }
  })

  it('does not cache a damaged record', async () => {
    const damaged = cacheOf(100_000, 10)
    await damaged.cache.read(versionOf(1, { isDamaged: true }))
    const ofAnother = cacheOf(100_000, 10, { hasOwnHeaders: false })
    await ofAnother.cache.read(versionOf(1))
    assert.deepEqual([damaged.cache.bytes, ofAnother.cache.bytes], [0, 0])
  })

  it('keeps popular pages while others are read once', async () => {
    const { cache, loads } = cacheOf(40_000, 1000)
    const popular = Array.from({ length: 12 }, (_, i) => versionOf(i))
    for (let round = 0; round < 20; round++) for (const version of popular) await cache.read(version)
    for (let id = 100; id < 200; id++) await cache.read(versionOf(id))
    for (const version of popular) await cache.read(version)
    assert.deepEqual(
      loads.filter((id) => id < 12),
      popular.map(({ id }) => id),
    )
  })

  it('evicts pages that are no longer popular', async () => {
    const { cache, loads } = cacheOf(40_000, 1000)
    for (let round = 0; round < 1000; round++) await cache.read(versionOf(0))
    for (let id = 1; id < 5000; id++) await cache.read(versionOf(id))
    await cache.read(versionOf(0))
    assert.equal(loads.filter((id) => id === 0).length, 2)
  })

  it('is not filled by uncached reads, and serves them too', async () => {
    const { cache, loads } = cacheOf(100_000, 10)
    await cache.read(versionOf(1))
    const { bytes } = cache
    for (const id of [1, 2, 2]) await cache.readUncached(versionOf(id))
    assert.deepEqual(loads, [1, 2, 2])
    assert.equal(cache.bytes, bytes)
  })

  it('a failed load is retried', async () => {
    const outcomes = [Promise.reject(new Error('no')), Promise.resolve(pageOf(versionOf(1), 5))]
    const cache = new PageCache(100_000, () => outcomes.shift() ?? assert.fail('already cached'))
    await assert.rejects(cache.read(versionOf(1)), { message: 'no' })
    assert.equal((await cache.read(versionOf(1))).payload.length, 5)
    assert.equal((await cache.read(versionOf(1))).payload.length, 5)
  })

  it('is empty after it was cleared, and stays usable', async () => {
    let loads = 0
    const cache = new PageCache(100_000, async (version) => {
      loads += 1
      return pageOf(version, 5)
    })
    for (const id of [1, 2, 1]) await cache.read(versionOf(id))
    cache.clear()
    assert.equal(cache.bytes, 0)
    for (const id of [1, 2, 1]) await cache.read(versionOf(id))
    assert.equal(loads, 4)
  })

  it('never exceeds its limit, and never holds a page that takes most of it', async () => {
    const asks = fc.array(fc.record({ id: fc.nat(60), bytes: fc.nat(8000) }), { maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(asks, async (list) => {
        let bytes = 0
        const cache = new PageCache(40_000, async (version) => pageOf(version, bytes))
        for (const ask of list) {
          bytes = ask.bytes
          const before = cache.bytes
          await cache.read(versionOf(ask.id))
          assert.ok(cache.bytes <= 40_000 && cache.bytes >= 0)
          assert.ok(cache.bytes - before <= 5000)
        }
      }),
      { numRuns: 50 },
    )
  })
})
