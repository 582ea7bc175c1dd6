import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NO_EVIDENCE } from './change-rate.ts'
import { dueTime, dueTimeOfGonePage, isPostponed, type RevisitCandidate } from './due-time.ts'
import { DEFAULT_PRIOR } from './priors.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW = Date.UTC(2026, 10, 20)
const BOUNDS = { minMs: HOUR_MS / 4, maxMs: 30 * DAY_MS }
const TRUSTED = { right: 100, wrong: 5, missed: 2 }

/** A page that changes about once a day. */
function candidate(changes: Partial<RevisitCandidate> = {}): RevisitCandidate {
  const history = { changes: 30, observedMs: 30 * DAY_MS }
  return { visitedAt: NOW, history, prior: DEFAULT_PRIOR, importance: 1, signal: null, ...changes }
}

function hoursUntilDue(changes: Partial<RevisitCandidate>, threshold = HOUR_MS): number {
  return (dueTime(candidate(changes), threshold, BOUNDS) - NOW) / HOUR_MS
}

describe('the time of the next visit', () => {
  it('is sooner for important pages and later under a higher threshold', () => {
    assert.ok(hoursUntilDue({ importance: 10 }) < hoursUntilDue({}))
    assert.ok(hoursUntilDue({}, HOUR_MS) < hoursUntilDue({}, 4 * HOUR_MS))
  })

  it('is within the bounds, whatever is known', () => {
    const odd = [0, -1, 1e-300, 1e300, Number.NaN, Number.POSITIVE_INFINITY]
    for (const value of odd) {
      for (const threshold of [...odd, HOUR_MS]) {
        for (const signalledAt of [null, NOW - DAY_MS, NOW, NOW + DAY_MS]) {
          const found = hoursUntilDue(
            {
              importance: value,
              history: { changes: value, observedMs: value },
              signal: { accuracy: TRUSTED, signalledAt },
            },
            threshold,
          )
          assert.ok(found >= 0.25 && found <= 30 * 24, `${value}, ${threshold}: ${found} hours`)
        }
      }
    }
  })

  it('of pages that are not worth a visit is spread, first over most of the maximum and then over its last fifth', () => {
    const daysUntilDue = (history: RevisitCandidate['history']) =>
      Array.from({ length: 200 }, (_, i) => {
        const visitedAt = NOW + i * 1000
        return (dueTime(candidate({ visitedAt, history }), 1e18, BOUNDS) - visitedAt) / DAY_MS
      })
    const first = daysUntilDue(NO_EVIDENCE)
    assert.ok(Math.min(...first) < 7 && Math.max(...first) > 29)
    const later = daysUntilDue({ changes: 3, observedMs: 30 * DAY_MS })
    assert.ok(Math.min(...later) >= 23 && Math.max(...later) > 29)
  })

  it('is at once after a signal that is trusted, and not sooner after one that is not', () => {
    const signalledAt = NOW + HOUR_MS
    assert.equal(hoursUntilDue({ signal: { accuracy: TRUSTED, signalledAt } }), 1)
    const untrusted = { right: 2, wrong: 50, missed: 50 }
    assert.equal(hoursUntilDue({ signal: { accuracy: untrusted, signalledAt } }), hoursUntilDue({}))
  })

  it('is later while trusted signals are silent', () => {
    assert.ok(hoursUntilDue({ signal: { accuracy: TRUSTED, signalledAt: null } }) > 2 * hoursUntilDue({}))
  })

  it('is postponed when the threshold has risen, but not for little', () => {
    const now = dueTime(candidate(), HOUR_MS, BOUNDS)
    const isPostponedAt = (threshold: number) =>
      isPostponed({ visitedAt: NOW, dueAt: dueTime(candidate(), threshold, BOUNDS), now })
    assert.deepEqual([HOUR_MS, 1.05 * HOUR_MS, 3 * HOUR_MS].map(isPostponedAt), [false, false, true])
  })

  it('of a page that is gone doubles its interval up to the maximum', () => {
    const days = (lastDays: number) =>
      (dueTimeOfGonePage({ visitedAt: NOW, lastIntervalMs: lastDays * DAY_MS }, BOUNDS) - NOW) / DAY_MS
    assert.deepEqual([1, 10, 20, 100].map(days), [2, 20, 30, 30])
    assert.equal(days(Number.NaN), 1 / 96)
  })
})
