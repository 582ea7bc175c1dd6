import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { silentLog } from '../../lib/log.ts'
import { emptyLedger } from '../../lib/states.ts'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { CrawlRates } from './crawl-rates.ts'

function progress(visited: number, bytes: number, status = 'running'): CrawlProgress {
  const ledger = { ...emptyLedger(), visited }
  return { crawl: { id: 'c', status }, ledger, sitemaps: 0, requisites: 0, bytes } as CrawlProgress
}

describe('the rate of a crawl', () => {
  it('covers the last ten seconds', async () => {
    const clock = new ManualClock()
    let now = progress(0, 0)
    const crawlRates = new CrawlRates({
      crawls: { list: async () => [now], progress: async () => now },
      clock,
      log: silentLog,
    })
    await crawlRates.sampleAll()
    assert.deepEqual(crawlRates.rateOf(now), { pagesPerSecond: 0, bytesPerSecond: 0, overMs: 0 })
    for (let second = 1; second <= 20; second++) {
      clock.advance(1000)
      // Fast at first, then slow.
      now = progress(second <= 10 ? second * 100 : 1000 + (second - 10) * 5, second * 1000)
      await crawlRates.sampleAll()
    }
    assert.deepEqual(crawlRates.rateOf(now), { pagesPerSecond: 5, bytesPerSecond: 1000, overMs: 10_000 })
  })

  it('is zero for a crawl that is not running', async () => {
    const clock = new ManualClock()
    let now = progress(0, 0)
    const crawlRates = new CrawlRates({
      crawls: { list: async () => [now], progress: async () => now },
      clock,
      log: silentLog,
    })
    await crawlRates.sampleAll()
    clock.advance(1000)
    now = progress(50, 50)
    await crawlRates.sampleAll()
    assert.equal(crawlRates.rateOf(now).pagesPerSecond, 50)
    assert.equal(crawlRates.rateOf(progress(50, 50, 'paused')).pagesPerSecond, 0)
  })

  it('is measured from the first request on, until the crawl is removed', async () => {
    const clock = new ManualClock()
    let isGone = false
    let reads = 0
    const crawls = {
      list: async () => [],
      async progress() {
        reads += 1
        if (isGone) throw new AppError('CRAWL_NOT_FOUND', 'gone')
        return progress(reads * 10, 0)
      },
    }
    const crawlRates = new CrawlRates({ crawls, clock, log: silentLog })
    await crawlRates.sampleAll()
    assert.equal(reads, 0)
    crawlRates.rateOf(progress(0, 0))
    for (let i = 0; i < 3; i++) {
      clock.advance(1000)
      await crawlRates.sampleAll()
    }
    assert.equal(crawlRates.rateOf(progress(30, 0)).pagesPerSecond, 10)
    isGone = true
    await crawlRates.sampleAll()
    await crawlRates.sampleAll()
    assert.equal(reads, 4)
  })
})
