import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refillBudget, spendVisits, startBudget, thresholdForInterval, visitsAllowed } from './budget.ts'
import { dueTime } from './due-time.ts'
import { DEFAULT_PRIOR } from './priors.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LIMITS = { perDay: 2400, urls: 10_000 }

describe('the revisit budget', () => {
  it('allows no more visits than it grants, however it is called', () => {
    for (const stepMs of [1000, 60_000, 7 * HOUR_MS]) {
      let budget = startBudget(LIMITS, DEFAULT_PRIOR, 0)
      let visits = 0
      for (let now = 0; now <= 10 * DAY_MS; now += stepMs) {
        budget = refillBudget(budget, LIMITS, now)
        visits += visitsAllowed(budget)
        budget = spendVisits(budget, visitsAllowed(budget))
      }
      // 1,200 visits are half a day of the budget, the most that can be saved up.
      assert.ok(visits <= 24_000 + 1200, `${visits} visits`)
      assert.ok(visits >= 24_000 - 1200, `${visits} visits`)
    }
  })

  it('raises the threshold while all of it is used, and lowers it while none is', () => {
    const start = startBudget(LIMITS, DEFAULT_PRIOR, 0)
    let used = start
    let unused = start
    for (let now = 0; now < DAY_MS; now += 60_000) {
      used = refillBudget(used, LIMITS, now)
      used = spendVisits(used, visitsAllowed(used))
      unused = refillBudget(unused, LIMITS, now)
    }
    assert.ok(used.threshold > 1.2 * start.threshold)
    assert.ok(unused.threshold < start.threshold / 1.2)
  })

  it('does not change while the clock stands still or goes back', () => {
    const budget = refillBudget(startBudget(LIMITS, DEFAULT_PRIOR, DAY_MS), LIMITS, DAY_MS)
    const again = refillBudget(budget, LIMITS, DAY_MS)
    assert.deepEqual(again, budget)
    assert.equal(refillBudget(budget, LIMITS, 0).tokens, budget.tokens)
  })

  it('stays within numbers for every limit', () => {
    for (const perDay of [0, 1e-9, 1, 1e12]) {
      for (const urls of [0, 1, 1e12]) {
        let budget = startBudget({ perDay, urls }, DEFAULT_PRIOR, 0)
        for (const now of [1, DAY_MS, 1e15]) budget = refillBudget(budget, { perDay, urls }, now)
        assert.ok(budget.threshold > 0 && Number.isFinite(budget.threshold), `${perDay}, ${urls}`)
        assert.ok(visitsAllowed(budget) >= 0 && Number.isFinite(budget.tokens))
      }
    }
  })

  it('has a threshold at which an average page is visited after a given interval', () => {
    const threshold = thresholdForInterval(DEFAULT_PRIOR, DAY_MS)
    const page = {
      visitedAt: 0,
      history: { changes: 0, observedMs: 0 },
      prior: DEFAULT_PRIOR,
      importance: 1,
      signal: null,
    }
    const dueAt = dueTime(page, threshold, { minMs: 1000, maxMs: 365 * DAY_MS })
    assert.ok(Math.abs(dueAt / DAY_MS - 1) < 1e-3, `${dueAt / DAY_MS} days`)
  })
})
