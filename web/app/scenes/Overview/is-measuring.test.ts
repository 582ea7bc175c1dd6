import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMeasuring } from './is-measuring.ts'

const startMs = Date.parse('2026-11-15T12:00:00Z')
const inactive = { created_at: '2026-11-15T12:00:00Z', in_flight: 0, pages_per_second: 0 }

test('a new or active crawl is being measured, even before a worker reports', () => {
  assert.equal(isMeasuring(inactive, startMs + 4999), true)
  assert.equal(isMeasuring({ ...inactive, in_flight: 1 }, startMs + 60_000), true)
  assert.equal(isMeasuring({ ...inactive, pages_per_second: 0.2 }, startMs + 60_000), true)
})

test('an inactive crawl is not being measured', () => {
  assert.equal(isMeasuring(inactive, startMs + 5000), false)
})
