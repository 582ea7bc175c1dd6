import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  FIRST_HEADERS_TIMEOUT_MS,
  HEADERS_TIMEOUT_MS,
  type HeadersExpectation,
  headersTimeoutMs,
  PageLimitsCache,
} from './fetch-limits.ts'

const USUAL = { responseMs: 2000, inFlight: 1, isOverloaded: false, url: 'http://a.test/page' }

const timeoutFor = (headersExpectation: HeadersExpectation) => headersTimeoutMs(headersExpectation, 60_000)

describe('the header timeout of a page', () => {
  it('follows the response times of the host', () => {
    assert.equal(timeoutFor({ ...USUAL, responseMs: 20 }), HEADERS_TIMEOUT_MS)
    assert.equal(timeoutFor(USUAL), 20_000)
    assert.equal(timeoutFor({ ...USUAL, responseMs: 2600 }), 30_000)
  })

  it('is short if the host has never responded', () => {
    assert.equal(timeoutFor({ ...USUAL, responseMs: 0 }), FIRST_HEADERS_TIMEOUT_MS)
  })

  it('is longer for a query, for concurrent requests, and for an overloaded host', () => {
    assert.equal(timeoutFor({ ...USUAL, url: 'http://a.test/?q=1' }), 30_000)
    assert.equal(timeoutFor({ ...USUAL, inFlight: 9 }), 40_000)
    assert.equal(timeoutFor({ ...USUAL, isOverloaded: true }), 40_000)
  })

  it('leaves a quarter of the request timeout to the body', () => {
    const slow = { ...USUAL, responseMs: 1e6 }
    assert.equal(headersTimeoutMs(slow, 40_000), 30_000)
    assert.equal(headersTimeoutMs(slow, 20_000), HEADERS_TIMEOUT_MS)
    assert.equal(headersTimeoutMs(slow, 5_000), HEADERS_TIMEOUT_MS)
  })

  it('is bounded, and has few distinct values', () => {
    assert.equal(timeoutFor({ ...USUAL, responseMs: 1e6, inFlight: 1000 }), 45_000)
    const limits = new PageLimitsCache({ maxBodyBytes: 1000, timeoutMs: 60_000 })
    const sets = Array.from({ length: 10_000 }, (_, responseMs) => limits.for({ ...USUAL, responseMs }))
    assert.equal(new Set(sets).size, 8)
  })
})
