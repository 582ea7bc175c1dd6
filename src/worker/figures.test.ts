import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Figures } from './figures.ts'

const counts = { bytes: 0, inFlight: 0, held: null }

describe('Figures', () => {
  it('tells answers, when the last one came, and the requests of the last minute', () => {
    const figures = new Figures(0)
    figures.take({ ...counts, requests: 10, failures: 1 }, 1_000)
    figures.take({ ...counts, requests: 15, failures: 1 }, 31_000)
    const { answers, lastAnswerAt, recentRequests, recentFailures } = figures.take(
      { ...counts, requests: 18, failures: 4 },
      91_000,
    )
    assert.deepEqual([answers, lastAnswerAt, recentRequests, recentFailures], [14, 31_000, 3, 3])
    figures.close()
  })
})
