import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { QueryLimiter } from './query-limiter.ts'

function openLimiter(queries: number) {
  const clock = new ManualClock()
  const queryLimiter = new QueryLimiter(clock)
  /** Functions that finish each query, in the order they were started. */
  const finishers: (() => void)[] = []
  for (let index = 0; index < queries; index += 1) queryLimiter.run((finished) => finishers.push(finished))
  return { clock, limiter: queryLimiter, finishers }
}

describe('QueryLimiter', () => {
  it('starts fifty queries, and one more for each that finishes', () => {
    const { finishers } = openLimiter(60)
    assert.equal(finishers.length, 50)
    finishers[7]?.()
    finishers[7]?.()
    assert.equal(finishers.length, 51)
    for (let index = 0; index < finishers.length; index += 1) finishers[index]?.()
    assert.equal(finishers.length, 60)
  })

  it('does not let slow queries block the others', () => {
    const { clock, finishers } = openLimiter(60)
    clock.advance(249)
    assert.equal(finishers.length, 50)
    clock.advance(1)
    assert.equal(finishers.length, 60)
    finishers[0]?.()
    clock.advance(250)
    assert.equal(clock.nextAt(), null)
  })

  it('starts any number of queries that finish at once', () => {
    const { limiter, finishers } = openLimiter(50)
    let started = 0
    for (let index = 0; index < 20_000; index += 1) {
      limiter.run((finished) => {
        started += 1
        finished()
      })
    }
    finishers[0]?.()
    assert.equal(started, 20_000)
  })

  it('has its full capacity startedLater once all have finished', () => {
    const { limiter, clock, finishers } = openLimiter(200)
    clock.advance(250)
    for (let index = 0; index < finishers.length; index += 1) finishers[index]?.()
    let startedLater = 0
    for (let index = 0; index < 60; index += 1) limiter.run(() => (startedLater += 1))
    assert.deepEqual([finishers.length, startedLater], [200, 50])
  })
})
