import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_LOOP_COUNTS } from '../../engine/crawl/stats/loop-counters.ts'
import { type Metric, renderMetrics } from '../../lib/metrics.ts'
import { emptyLedger, URL_STATES } from '../../lib/states.ts'
import { TEST_SETTINGS } from '../../ports/contracts/testing/store-harness.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { fleetMetrics, workerMetrics } from './metrics.ts'

const COUNTS = { requests: 5, failures: 1, bytes: 100, inFlight: 2, held: null, loopDelayMs: 20, waits: [] }
const NO_CRAWLS = { ...COUNTS, loopCounts: NO_LOOP_COUNTS, crawls: [] }
/** Names that dashboards of other crawlers use. */
const KNOWN_ELSEWHERE = [
  'crawl_fetch_duration_seconds',
  'crawl_processing_duration_seconds',
  'crawl_queue_latency_seconds',
  'crawl_urls_retried_total',
  'crawl_urls_failed_total',
  'crawl_urls_visited_total',
  'crawl_stale_claims_recovered_total',
  'crawl_reconciliation_cycle_duration_seconds',
  'processed_urls_total',
]

function fleet(crawls: CrawlProgress[]): Metric[] {
  const figures = {
    lostWorkers: 1,
    urlsRequeued: 7,
    observedMs: 9000,
    availableMs: 8000,
    maintenance: NO_LOOP_COUNTS.commit,
  }
  return fleetMetrics({ rows: [], crawls, backlog: { dueHosts: 3 }, ...figures })
}

function running(id: string, queued: number): CrawlProgress {
  const times = { createdAt: 0, finishedAt: null, statusAt: 0, activeMs: 0 }
  const about = {
    reason: null,
    rootUrl: 'http://a.test/',
    requestedUrl: 'http://a.test/',
    seeds: [],
    settings: TEST_SETTINGS,
    keySeed: 1,
  }
  const ledger = { ...emptyLedger(), queued }
  return {
    crawl: { id, status: 'running', ...about, ...times },
    ledger,
    sitemaps: 0,
    requisites: 0,
    bytes: 0,
    rejected: {},
    lateReports: 0,
    nextVisitAt: null,
  }
}

describe('metrics', () => {
  it('include the names that other dashboards use', () => {
    const names = [...workerMetrics(NO_CRAWLS, true), ...fleet([])].map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
    for (const name of KNOWN_ELSEWHERE) assert.ok(names.includes(name), name)
  })

  it('show what the slots of all crawls were busy with', () => {
    const crawls = [
      { crawlId: 'a', inFlight: 1, phases: { origin: 3000, politeness: 1000 } },
      { crawlId: 'b', inFlight: 0, phases: { politeness: 4000 } },
    ]
    const text = renderMetrics(workerMetrics({ ...NO_CRAWLS, crawls }, true))
    assert.match(text, /^orbweaver_slot_ratio\{phase="politeness"\} 0\.625$/m)
    assert.match(text, /^orbweaver_slot_ratio\{phase="origin"\} 0\.375$/m)
    assert.match(text, /^orbweaver_slot_ratio\{phase="idle"\} 0$/m)
  })

  it('list the largest crawls one by one and the others as a sum', () => {
    const crawls = Array.from({ length: 100 }, (_, i) => running(`c${i}`, i))
    const text = renderMetrics(fleet(crawls))
    const lines = text.split('\n').filter((line) => line.startsWith('orbweaver_urls{'))
    assert.equal(lines.length, 21 * URL_STATES.length)
    assert.match(text, /^orbweaver_urls\{crawl="c99",state="queued"\} 99$/m)
    // 0 + 1 + ... + 79
    assert.match(text, /^orbweaver_urls\{crawl="others",state="queued"\} 3160$/m)
  })
})
