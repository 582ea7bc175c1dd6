// The revisit policy on a small web, in virtual time. `npm run bench:freshness` measures it on a large one.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS, makeChangingWeb } from './freshness/changing-web.ts'
import { type Comparison, gainOf, runFixed, runNutch, runOurs } from './freshness/compare-policies.ts'
import { expectedFreshness, optimalIntervals } from './freshness/fixed-schedules.ts'

const COMPARISON: Comparison = {
  pages: 2000,
  seed: 1,
  perDay: 1000,
  bounds: { minMs: HOUR_MS / 6, maxMs: 30 * DAY_MS },
  learnDays: 60,
  measureDays: 30,
}
const fixed = { uniform: runFixed('uniform', COMPARISON), optimum: runFixed('optimum', COMPARISON) }

describe('revisits of pages that change', () => {
  const ours = runOurs('none', COMPARISON)

  it('come close to the optimum with known rates, which they have to learn', () => {
    const gain = gainOf(ours, fixed)
    assert.ok(gain > 0.9, `${gain.toFixed(3)} of the optimum's gain over uniform visits`)
    assert.ok(gain > gainOf(runNutch(COMPARISON), fixed) + 0.5)
  })

  it('leave no page alone for longer than the maximum, and use the budget', () => {
    assert.ok(ours.longestGapMs <= COMPARISON.bounds.maxMs, `${ours.longestGapMs / DAY_MS} days`)
    assert.ok(ours.visitsPerDay > 0.95 * COMPARISON.perDay && ours.visitsPerDay <= 1.001 * COMPARISON.perDay)
  })

  it('are better than the optimum without signals if signals are true', () => {
    const informed = runOurs('true', COMPARISON)
    assert.ok(gainOf(informed, fixed) > 1.2, `${gainOf(informed, fixed).toFixed(3)}`)
    assert.ok(informed.longestGapMs <= COMPARISON.bounds.maxMs)
  })

  it('are no worse if all signals lie', () => {
    const misled = runOurs('lying', COMPARISON)
    assert.ok(gainOf(misled, fixed) > gainOf(ours, fixed) - 0.05, `${gainOf(misled, fixed).toFixed(3)}`)
  })

  it('with a budget that visits every page at the maximum only just, still leave none alone for longer', () => {
    const tight = { ...COMPARISON, perDay: 100 }
    const { longestGapMs } = runOurs('none', tight)
    assert.ok(longestGapMs <= tight.bounds.maxMs, `${longestGapMs / DAY_MS} days`)
  })
})

describe('the optimum that revisits are compared with', () => {
  const pages = makeChangingWeb(500, 3)
  const limits = { visitsPerMs: 250 / DAY_MS, minMs: HOUR_MS / 6, maxMs: 30 * DAY_MS }
  const best = optimalIntervals(pages, limits)
  const freshness = (intervals: number[]) =>
    pages.reduce((sum, { importance, rate }, i) => sum + importance * expectedFreshness(rate, intervals[i] ?? 0), 0)

  it('uses the budget', () => {
    const visits = best.reduce((sum, interval) => sum + 1 / interval, 0)
    assert.ok(Math.abs(visits / limits.visitsPerMs - 1) < 1e-3)
  })

  it('loses if visits are moved from one page to another', () => {
    const free = best.flatMap((interval, i) => (interval > limits.minMs && interval < limits.maxMs ? [i] : []))
    const before = freshness(best)
    for (let k = 1; k < free.length; k++) {
      const [from = 0, to = 0] = [free[k - 1], free[k]]
      const moved = [...best]
      const visits = 0.1 * Math.min(1 / (best[from] ?? 1), 1 / (best[to] ?? 1))
      moved[from] = 1 / (1 / (best[from] ?? 1) - visits)
      moved[to] = 1 / (1 / (best[to] ?? 1) + visits)
      assert.ok(freshness(moved) <= before)
    }
  })
})
