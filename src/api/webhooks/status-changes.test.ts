import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CrawlStatus } from '../../lib/states.ts'
import { emptyLedger } from '../../lib/states.ts'
import { TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { StatusChanges } from './status-changes.ts'

function crawl(id: string, status: CrawlStatus, times: { createdAt: number; statusAt: number }): CrawlProgress {
  const fields = {
    reason: null,
    rootUrl: 'http://a.test/',
    requestedUrl: 'http://a.test/',
    seeds: [],
    settings: TEST_SETTINGS,
    keySeed: 1,
    activeMs: 0,
  }
  const counts = {
    ledger: emptyLedger(),
    sitemaps: 0,
    requisites: 0,
    bytes: 0,
    rejected: {},
    lateReports: 0,
    nextVisitAt: null,
  }
  return { crawl: { id, status, finishedAt: null, ...fields, ...times }, ...counts }
}

function changesOf(statusChanges: StatusChanges, all: CrawlProgress[], since = 0): string[] {
  return statusChanges.collect(all, since).map(({ event, at, progress }) => `${progress.crawl.id} ${event} ${at}`)
}

it('a new crawl and each status change are reported once', () => {
  const statusChanges = new StatusChanges()
  const created = crawl('a', 'running', { createdAt: 100, statusAt: 100 })
  const paused = crawl('a', 'paused', { createdAt: 100, statusAt: 200 })
  const resumed = crawl('a', 'running', { createdAt: 100, statusAt: 200 })
  assert.deepEqual(changesOf(statusChanges, [created]), ['a crawl.created 100'])
  assert.deepEqual(changesOf(statusChanges, [created]), [])
  assert.deepEqual(changesOf(statusChanges, [paused]), ['a crawl.paused 200'])
  assert.deepEqual(changesOf(statusChanges, [paused]), [])
  assert.deepEqual(changesOf(statusChanges, [resumed]), ['a crawl.resumed 200'])
})

it('a crawl that ends before it is first seen is reported as created and as ended', () => {
  const quick = crawl('a', 'completed', { createdAt: 100, statusAt: 150 })
  assert.deepEqual(changesOf(new StatusChanges(), [quick]), ['a crawl.created 100', 'a crawl.completed 150'])
})

it('old changes are not reported', () => {
  const old = crawl('a', 'failed', { createdAt: 100, statusAt: 150 })
  const half = crawl('b', 'cancelled', { createdAt: 100, statusAt: 1500 })
  assert.deepEqual(changesOf(new StatusChanges(), [old, half], 1000), ['b crawl.cancelled 1500'])
})
