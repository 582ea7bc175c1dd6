import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readCacheLifetime } from './cache-lifetime.ts'

const NOW = Date.UTC(2026, 10, 17, 10)

const CASES: [headers: string[], lifetimeMs: number | null][] = [
  [[], null],
  [['Cache-Control', 'public'], null],
  [['Cache-Control', 'public, max-age=60'], 60_000],
  [['cache-control', 'Max-Age="60"', 'Cache-Control', 'public'], 60_000],
  [['Cache-Control', 's-maxage=60'], null],
  [['Cache-Control', 'no-cache, max-age=60'], 0],
  [['Cache-Control', 'no-store'], 0],
  [['Expires', 'Tue, 17 Nov 2026 11:00:00 GMT'], 3_600_000],
  [['Expires', 'Tue, 17 Nov 2026 11:00:00 GMT', 'Date', 'Tue, 17 Nov 2026 10:30:00 GMT'], 1_800_000],
  [['Expires', 'Tue, 17 Nov 2026 09:00:00 GMT'], 0],
  [['Expires', '-1'], 0],
  [['Expires', 'Tue, 17 Nov 2026 11:00:00 GMT', 'Cache-Control', 'max-age=1'], 1000],
]

for (const [headers, lifetimeMs] of CASES) {
  it(`a response with ${JSON.stringify(headers)} stays fresh for ${lifetimeMs} ms`, () => {
    assert.equal(readCacheLifetime(headers, NOW), lifetimeMs)
  })
}
