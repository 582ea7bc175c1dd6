import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CrawlStatus } from '../../lib/states.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { FRESH_MS, ResponseCache } from './response-cache.ts'

const ADDRESS = '/api/v1/workers'

function setUp() {
  const clock = new ManualClock()
  const cache = new ResponseCache(clock)
  let computed = 0
  const read = async () => {
    const { body } = await cache.getOrCompute(ADDRESS, 'listWorkers', async () => ({ computed: ++computed }))
    return (JSON.parse(body.toString()) as { computed: number }).computed
  }
  const changeStatus = (status: CrawlStatus) =>
    cache.invalidateOnStatusChange({ crawl: { id: 'c', status } } as CrawlProgress)
  return { clock, cache, read, changeStatus }
}

describe('a cached response', () => {
  it('is computed once for all requests within 250 ms, and again afterwards', async () => {
    const { clock, read } = setUp()
    assert.deepEqual(await Promise.all([read(), read()]), [1, 1])
    clock.advance(FRESH_MS - 1)
    assert.equal(await read(), 1)
    clock.advance(1)
    assert.equal(await read(), 2)
  })

  it('is dropped when it expires, and is not cached if it is large', async () => {
    const clock = new ManualClock()
    const cache = new ResponseCache(clock)
    const large = 'x'.repeat(300_000)
    await cache.getOrCompute('/large', 'listUrls', async () => large)
    assert.equal(cache.size, 0)
    await cache.getOrCompute('/small', 'listUrls', async () => 'x')
    assert.equal(cache.size, 1)
    clock.advance(FRESH_MS)
    assert.equal(cache.size, 0)
  })

  it('is dropped after a change, also if it is still being computed', async () => {
    const { cache, read, changeStatus } = setUp()
    const before = read()
    cache.invalidate()
    assert.equal(await read(), 2)
    assert.equal(await before, 1)
    changeStatus('running')
    assert.equal(await read(), 3)
    changeStatus('running')
    assert.equal(await read(), 3)
    changeStatus('completed')
    assert.equal(await read(), 4)
  })

  it('that failed is not shared', async () => {
    const { cache, read } = setUp()
    await assert.rejects(
      cache.getOrCompute(ADDRESS, 'listWorkers', () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await read(), 1)
  })

  it('that is long is shared only while it is computed', async () => {
    const { cache } = setUp()
    await cache.getOrCompute('/long', 'listUrls', async () => 'x'.repeat(300_000))
    assert.equal(cache.find('/long'), null)
  })
})
