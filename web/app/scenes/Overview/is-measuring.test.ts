import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMeasuring } from './is-measuring.ts'

const startMs = Date.parse('2026-11-15T12:00:00Z')
const still = { created_at: '2026-11-15T12:00:00Z', in_flight: 0, pages_per_second: 0 }

test('a crawl that is new or at work is being measured, also before a worker has told of it', () => {
  assert.equal(isMeasuring(still, startMs + 4999), true)
  assert.equal(isMeasuring({ ...still, in_flight: 1 }, startMs + 60_000), true)
  assert.equal(isMeasuring({ ...still, pages_per_second: 0.2 }, startMs + 60_000), true)
})

test('a crawl that stands still is not', () => {
  assert.equal(isMeasuring(still, startMs + 5000), false)
})
