import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasConcurrencyLimit } from '../../ports/frontier.ts'
import { lowerLimit, raiseLimit } from './concurrency-limit.ts'

function raiseBy(responses: number, from: number, perHost: number): number {
  let limit = from
  for (let i = 0; i < responses; i++) limit = raiseLimit(limit, perHost)
  return limit
}

describe('the concurrency limit', () => {
  it('is half of the requests in flight when the host refused, and at least one', () => {
    assert.deepEqual([lowerLimit(0, 16), lowerLimit(0, 3), lowerLimit(0, 1)], [8, 1, 1])
    assert.deepEqual([lowerLimit(8, 16), lowerLimit(8, 4), lowerLimit(2.5, 2)], [4, 2, 1])
  })

  it('rises by one after sixteen good responses', () => {
    assert.equal(raiseBy(15, 2, 16), 2 + 15 / 16)
    assert.equal(raiseBy(16, 2, 16), 3)
    assert.equal(raiseBy(32, 2, 16), 4)
  })

  it('is dropped when the host has accepted everything for long enough', () => {
    assert.equal(raiseBy(16, 3, 4), 4)
    assert.equal(raiseBy(16, 7, 4), 0)
    assert.equal(raiseBy(1, 8, 4), 0)
    assert.equal(raiseBy(1, 0, 4), 0)
    assert.deepEqual(
      [hasConcurrencyLimit(7, 4), hasConcurrencyLimit(8, 4), hasConcurrencyLimit(0, 4)],
      [true, false, false],
    )
  })
})
