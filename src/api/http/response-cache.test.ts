import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import { FRESH_MS, ResponseCache } from './response-cache.ts'

const ADDRESS = '/api/v1/workers'

function setUp() {
  const clock = new ManualClock()
  const shared = new ResponseCache(clock)
  let made = 0
  const ask = async () => {
    const { body } = await shared.getOrCompute(ADDRESS, 'listWorkers', async () => ({ made: ++made }))
    return (JSON.parse(body.toString()) as { made: number }).made
  }
  const heed = (status: CrawlStatus) => shared.invalidateOnStatusChange({ crawl: { id: 'c', status } } as CrawlProgress)
  return { clock, shared, ask, heed }
}

describe('a shared answer', () => {
  it('is made once for all who ask within a moment, and anew after it', async () => {
    const { clock, ask } = setUp()
    assert.deepEqual(await Promise.all([ask(), ask()]), [1, 1])
    clock.advance(FRESH_MS - 1)
    assert.equal(await ask(), 1)
    clock.advance(1)
    assert.equal(await ask(), 2)
  })

  it('is not held longer than it is given out, nor at all when it is large', async () => {
    const clock = new ManualClock()
    const shared = new ResponseCache(clock)
    const large = 'x'.repeat(300_000)
    await shared.getOrCompute('/large', 'listUrls', async () => large)
    assert.equal(shared.size, 0)
    await shared.getOrCompute('/small', 'listUrls', async () => 'x')
    assert.equal(shared.size, 1)
    clock.advance(FRESH_MS)
    assert.equal(shared.size, 0)
  })

  it('is void after a change, also when it was under way then', async () => {
    const { shared, ask, heed } = setUp()
    const before = ask()
    shared.invalidate()
    assert.equal(await ask(), 2)
    assert.equal(await before, 1)
    heed('running')
    assert.equal(await ask(), 3)
    heed('running')
    assert.equal(await ask(), 3)
    heed('completed')
    assert.equal(await ask(), 4)
  })

  it('that failed is nobody else’s', async () => {
    const { shared, ask } = setUp()
    await assert.rejects(
      shared.getOrCompute(ADDRESS, 'listWorkers', () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await ask(), 1)
  })

  it('that is long is kept no longer than it is made', async () => {
    const { shared } = setUp()
    await shared.getOrCompute('/long', 'listUrls', async () => 'x'.repeat(300_000))
    assert.equal(shared.find('/long'), null)
  })
})
