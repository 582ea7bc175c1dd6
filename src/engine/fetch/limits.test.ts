import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FIRST_HEADERS_TIMEOUT_MS, HEADERS_TIMEOUT_MS, headersTimeoutMs, PageLimits } from './limits.ts'

const USUAL = { responseMs: 2000, atOnce: 1, isOverloaded: false, url: 'http://a.test/page' }

describe('the time for the headers of a page', () => {
  it('follows the history of the host', () => {
    assert.equal(headersTimeoutMs({ ...USUAL, responseMs: 20 }), HEADERS_TIMEOUT_MS)
    assert.equal(headersTimeoutMs(USUAL), 20_000)
    assert.equal(headersTimeoutMs({ ...USUAL, responseMs: 2600 }), 30_000)
  })

  it('is short where the host has never answered', () => {
    assert.equal(headersTimeoutMs({ ...USUAL, responseMs: 0 }), FIRST_HEADERS_TIMEOUT_MS)
  })

  it('is longer for a query, for many at a time, and for a host that refuses', () => {
    assert.equal(headersTimeoutMs({ ...USUAL, url: 'http://a.test/?q=1' }), 30_000)
    assert.equal(headersTimeoutMs({ ...USUAL, atOnce: 9 }), 40_000)
    assert.equal(headersTimeoutMs({ ...USUAL, isOverloaded: true }), 40_000)
  })

  it('is bounded, and has few values', () => {
    assert.equal(headersTimeoutMs({ ...USUAL, responseMs: 1e6, atOnce: 1000 }), 45_000)
    const limits = new PageLimits(1000)
    const sets = Array.from({ length: 10_000 }, (_, responseMs) => limits.for({ ...USUAL, responseMs }))
    assert.equal(new Set(sets).size, 8)
  })
})
