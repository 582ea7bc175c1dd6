import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anySnapshot } from '../testing/arbitrary-snapshots.ts'
import { sampleLedger, sampleSnapshot } from '../testing/sample-snapshot.ts'
import { progressEvent, summaryEvent } from './json-events.ts'

const FACTS = { traps: [], reasons: {}, program: './orbweaver', location: { data: 'crawls', store: null } }

test('the summary event has exactly the promised fields', () => {
  const ledger = sampleLedger({ queued: 5, in_progress: 2, visited: 100, redirected: 10, failed: 3 })
  const snapshot = sampleSnapshot({ status: 'completed', ledger, elapsedMs: 3000, pagesPerSecond: 999 })
  assert.deepEqual(summaryEvent(snapshot, 4, { ...FACTS, reasons: { needs_javascript: 2 } }), {
    type: 'summary',
    crawl_id: snapshot.crawlId,
    status: 'completed',
    reason: null,
    held: null,
    root_url: 'https://docs.example.com/',
    requested_depth: 4,
    total: 120,
    completed: 110,
    pending: 5,
    in_progress: 2,
    failed: 3,
    states: ledger,
    sitemaps: 0,
    requisites: 0,
    elapsed_ms: 3000,
    pages_per_second: 33.3,
    bytes: 64_200_000,
    rejected: { out_of_scope: 812, nofollow: 30 },
    next_visit_in_ms: null,
    excluded_patterns: [],
    needs_javascript: 2,
  })
})

test('the summary event names the patterns excluded as traps, and how to release them', () => {
  const trap = { pattern: 'a.test/calendar/N/N', urls: 2, example: 'http://a.test/calendar/2031/1' }
  const snapshot = sampleSnapshot({})
  const { excluded_patterns } = summaryEvent(snapshot, null, { ...FACTS, traps: [trap] })
  const release = `./orbweaver traps ${snapshot.crawlId.slice(0, 8)} --release 'a.test/calendar/N/N' --data crawls`
  assert.deepEqual(excluded_patterns, [{ ...trap, release }])
})

test('the progress event has the recent rate and the requests in flight, but no depth', () => {
  const event = progressEvent(sampleSnapshot({ pagesPerSecond: 41.26 }))
  assert.equal(event.type, 'progress')
  assert.equal(event.pages_per_second, 41.3)
  assert.equal(event.in_flight, 16)
  assert.ok(!('requested_depth' in event))
})

test('the progress event has the waiting hosts', () => {
  const waits = [{ reason: 'crawl_delay' as const, hosts: 2, host: 'a.example', leftMs: 812.4 }]
  const event = progressEvent(sampleSnapshot({ waits, held: 'max_disk' }))
  assert.equal(event.held, 'max_disk')
  assert.deepEqual(event.waiting, [{ reason: 'crawl_delay', hosts: 2, host: 'a.example', left_ms: 812 }])
})

test('sitemaps do not count towards pages per second', () => {
  const ledger = sampleLedger({ visited: 103 })
  assert.equal(
    summaryEvent(sampleSnapshot({ ledger, sitemaps: 3, elapsedMs: 10_000 }), null, FACTS).pages_per_second,
    10,
  )
})

test('a crawl that took no time has no rate', () => {
  assert.equal(summaryEvent(sampleSnapshot({ elapsedMs: 0 }), null, FACTS).pages_per_second, 0)
})

test('completed, pending, in progress and failed always add up to the total', () => {
  fc.assert(
    fc.property(anySnapshot, (snapshot) => {
      const event = summaryEvent(snapshot, null, FACTS)
      assert.equal(event.completed + event.pending + event.in_progress + event.failed, event.total)
    }),
  )
})
