import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseRetryAfterMs } from './retry-after.ts'

const NOW = Date.UTC(2026, 0, 1)

describe('Retry-After', () => {
  const cases: [string | null, number][] = [
    [null, 0],
    ['', 0],
    ['Thu Jan  1 00:00:30 2026', 30_000],
    ['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
    ['120', 120_000],
    [' 3 ', 3000],
    ['-5', 0],
    ['1.5', 0],
    ['soon', 0],
    ['99999999999999', 0],
    [new Date(NOW + 5000).toUTCString(), 5000],
    [new Date(NOW - 5000).toUTCString(), 0],
    ['2026-01-02', 0],
  ]
  for (const [header, ms] of cases)
    it(`${JSON.stringify(header)} is ${ms} ms`, () => assert.equal(parseRetryAfterMs(header, NOW), ms))
})
