import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom } from '../../lib/seeded-random.ts'
import {
  type ChangeEvidence,
  changeRate,
  NO_EVIDENCE,
  type Observation,
  posteriorOf,
  recordObservation,
  unchangedProbability,
} from './change-rate.ts'
import { DEFAULT_PRIOR } from './priors.ts'

const HOUR_MS = 3_600_000

function observation(elapsedMs: number, isChanged: boolean): Observation {
  return { elapsedMs, isChanged, announcement: null }
}

/** The estimate after many observations of a page that changes at random. */
function learnRate(rate: number, intervalMs: number, observations: number): number {
  const random = seededRandom(7)
  let history = NO_EVIDENCE
  let sum = 0
  for (let i = 0; i < observations; i++) {
    const isChanged = random.chance(-Math.expm1(-rate * intervalMs))
    history = recordObservation(history, observation(intervalMs, isChanged), DEFAULT_PRIOR)
    if (i >= observations / 2) sum += Math.log(changeRate(posteriorOf(history, DEFAULT_PRIOR)))
  }
  return Math.exp(sum / (observations / 2))
}

describe('the change rate of a page', () => {
  it('is found over four orders of magnitude, though an observation shows only whether anything changed', () => {
    for (const hours of [1, 10, 100, 1000, 10_000]) {
      for (const changesPerVisit of [0.2, 1, 2.5]) {
        const rate = 1 / (hours * HOUR_MS)
        const ratio = learnRate(rate, changesPerVisit / rate, 4000) / rate
        assert.ok(ratio > 0.85 && ratio < 1.15, `${hours} h, ${changesPerVisit} changes per visit: ${ratio.toFixed(2)}`)
      }
    }
  })

  it('of a page that changes before every observation is at least the rate of observations', () => {
    let history = NO_EVIDENCE
    for (let i = 0; i < 100; i++) history = recordObservation(history, observation(HOUR_MS, true), DEFAULT_PRIOR)
    assert.ok(changeRate(posteriorOf(history, DEFAULT_PRIOR)) > 2 / HOUR_MS)
  })

  it('falls with every observation without a change, and rises with one', () => {
    let history: ChangeEvidence = { changes: 3, observedMs: 100 * HOUR_MS }
    let rate = changeRate(posteriorOf(history, DEFAULT_PRIOR))
    for (const hours of [1, 10, 100, 1000]) {
      history = recordObservation(history, observation(hours * HOUR_MS, false), DEFAULT_PRIOR)
      const lower = changeRate(posteriorOf(history, DEFAULT_PRIOR))
      assert.ok(lower < rate)
      rate = lower
    }
    const higher = recordObservation(history, observation(HOUR_MS, true), DEFAULT_PRIOR)
    assert.ok(changeRate(posteriorOf(higher, DEFAULT_PRIOR)) > rate)
  })

  it('follows a page that becomes a hundred times as fast or slow', () => {
    for (const [before, after] of [
      [100, 1],
      [1, 100],
    ] as const) {
      const random = seededRandom(3)
      let history = NO_EVIDENCE
      for (let i = 0; i < 600; i++) {
        const rate = 1 / ((i < 300 ? before : after) * HOUR_MS)
        // As in the policy: the more often the page seems to change, the more often it is visited.
        const elapsedMs = 1 / changeRate(posteriorOf(history, DEFAULT_PRIOR))
        history = recordObservation(
          history,
          observation(elapsedMs, random.chance(-Math.expm1(-rate * elapsedMs))),
          DEFAULT_PRIOR,
        )
      }
      const found = 1 / changeRate(posteriorOf(history, DEFAULT_PRIOR)) / HOUR_MS
      assert.ok(found > after / 2 && found < after * 2, `${before} h to ${after} h: ${found.toFixed(2)} h`)
    }
  })

  it('is exact if every change is announced at its time', () => {
    const random = seededRandom(5)
    let history = NO_EVIDENCE
    for (let i = 0; i < 2000; i++) {
      const afterMs = -Math.log(1 - random.next()) * 10 * HOUR_MS
      const announced = {
        elapsedMs: afterMs + HOUR_MS / 60,
        isChanged: true,
        announcement: { afterMs, probability: 1 },
      }
      history = recordObservation(history, announced, DEFAULT_PRIOR)
    }
    const hours = 1 / changeRate(posteriorOf(history, DEFAULT_PRIOR)) / HOUR_MS
    assert.ok(hours > 7.5 && hours < 12.5, `${hours.toFixed(2)} h`)
  })

  it('is a positive number whatever is stored or observed', () => {
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, 1e-300, 1e300]
    for (const value of odd) {
      for (const isChanged of [false, true]) {
        for (const history of [NO_EVIDENCE, { changes: value, observedMs: 1 }, { changes: 1, observedMs: value }]) {
          for (const announcement of [null, { afterMs: value, probability: value }]) {
            const after = recordObservation(history, { elapsedMs: value, isChanged, announcement }, DEFAULT_PRIOR)
            const posterior = posteriorOf(after, { changes: value, observedMs: value })
            assert.ok(after.changes >= 0 && after.observedMs >= 0 && Number.isFinite(after.changes + after.observedMs))
            assert.ok(changeRate(posterior) > 0 && Number.isFinite(changeRate(posterior)))
            const unchanged = unchangedProbability(posterior, HOUR_MS)
            assert.ok(unchanged >= 0 && unchanged <= 1)
          }
        }
      }
    }
  })
})
