import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEFAULT_PRIOR } from './recrawl/priors.ts'
import {
  addVisit,
  currentBudget,
  planRevisit,
  type RevisitHistory,
  revisitAllowance,
  type VisitEnd,
} from './revisit-plan.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ADAPTIVE = {
  recrawl: 'adaptive',
  recrawlMinMs: HOUR,
  recrawlMaxMs: 30 * DAY,
  recrawlBudget: null,
  schedule: null,
  timeZone: 'UTC',
} as const
const PLAIN = { threshold: null, prior: DEFAULT_PRIOR }
const FIXED = { ...ADAPTIVE, recrawl: 6 * HOUR }

function end(changes: Partial<VisitEnd> = {}): VisitEnd {
  const plain = {
    state: 'visited',
    reason: null,
    seenHash: 'a',
    etag: '"1"',
    lastModified: null,
    isUnchanged: false,
    isNotModified: false,
  }
  return { ...plain, ...changes } as VisitEnd
}

/** The history after visits at these times. */
function historyOf(...visits: [at: number, end: VisitEnd][]): RevisitHistory {
  let history: RevisitHistory | null = null
  for (const [at, visit] of visits) history = addVisit(history, visit, { now: at })
  assert.ok(history !== null)
  return history
}

describe('the history of a URL', () => {
  it('counts a change if something else was seen', () => {
    const { visits, changedAt, visitedAt } = historyOf([0, end()], [DAY, end()], [2 * DAY, end({ seenHash: 'b' })])
    assert.deepEqual([visits, changedAt, visitedAt], [3, 2 * DAY, 2 * DAY])
  })

  it('keeps what was seen if the server says that nothing has changed', () => {
    const unchanged = end({ seenHash: 'x', etag: null, isUnchanged: true })
    const { seenHash, etag, changedAt } = historyOf([0, end()], [DAY, unchanged])
    assert.deepEqual([seenHash, etag, changedAt], ['a', '"1"', 0])
  })

  it('learns nothing from a visit that failed', () => {
    const seen = historyOf([0, end()], [DAY, end()])
    const failed = addVisit(seen, end({ state: 'failed', reason: 'timeout', seenHash: null }), { now: 2 * DAY })
    assert.deepEqual(failed, { ...seen, state: 'failed', reason: 'timeout' })
    assert.equal(addVisit(failed, end(), { now: 3 * DAY }).changedAt, 0)
  })

  it('counts removal and return as changes', () => {
    for (const gone of [
      end({ state: 'not_found', seenHash: null }),
      end({ state: 'http_error', reason: 'http_410', seenHash: null }),
    ]) {
      assert.equal(historyOf([0, end()], [DAY, gone]).changedAt, DAY)
      assert.equal(historyOf([0, end()], [DAY, gone], [2 * DAY, end()]).changedAt, 2 * DAY)
    }
  })
})

describe('the next visit', () => {
  it('comes after the interval, if there is one', () => {
    assert.equal(planRevisit(historyOf([0, end()]), FIXED, PLAIN, 100), 100 + 6 * HOUR)
  })

  it('of a page that is gone comes after twice the last interval, up to the longest', () => {
    const gone = historyOf([0, end({ state: 'not_found', seenHash: null })])
    assert.equal(planRevisit({ ...gone, intervalMs: 10 * HOUR }, FIXED, PLAIN, 0), 20 * HOUR)
    assert.equal(planRevisit({ ...gone, intervalMs: 20 * DAY }, FIXED, PLAIN, 0), 30 * DAY)
  })

  it('of a page of which nothing is known comes after about a day', () => {
    assert.equal(Math.round(planRevisit(historyOf([0, end()]), ADAPTIVE, PLAIN, 0) / HOUR), 24)
  })

  it('comes sooner if the page changes often, and later if it does not, within the bounds', () => {
    const looks = (count: number, everyMs: number, hashAt: (i: number) => string) =>
      historyOf(
        ...Array.from({ length: count }, (_, i): [number, VisitEnd] => [i * everyMs, end({ seenHash: hashAt(i) })]),
      )
    const busy = planRevisit(looks(200, HOUR, String), ADAPTIVE, PLAIN, 0)
    const quiet = planRevisit(
      looks(200, 10 * DAY, () => 'a'),
      ADAPTIVE,
      PLAIN,
      0,
    )
    assert.ok(busy < 12 * HOUR && busy >= HOUR, `${busy / HOUR} h`)
    assert.ok(quiet > 5 * DAY && quiet <= 30 * DAY, `${quiet / DAY} days`)
  })

  it('comes at the next time of the schedule, also right after one', () => {
    const nightly = { ...ADAPTIVE, recrawl: 'off', schedule: '0 3 * * *' } as const
    const seen = historyOf([0, end()])
    assert.equal(planRevisit(seen, nightly, PLAIN, HOUR), 3 * HOUR)
    assert.equal(planRevisit(seen, nightly, PLAIN, 3 * HOUR), DAY + 3 * HOUR)
    assert.equal(planRevisit(seen, { ...nightly, timeZone: 'Europe/Berlin' }, PLAIN, HOUR), 2 * HOUR)
  })

  it('waits for the schedule once it is due', () => {
    const schedule = '0 3 * * *'
    assert.equal(planRevisit(historyOf([0, end()]), { ...FIXED, schedule }, PLAIN, 0), DAY + 3 * HOUR)
    assert.equal(planRevisit(historyOf([0, end()]), { ...FIXED, recrawl: 3 * HOUR, schedule }, PLAIN, 0), 3 * HOUR)
  })

  it('after a failure is not before the shortest interval', () => {
    const failed = historyOf([0, end()], [DAY, end({ state: 'failed', reason: 'timeout' })])
    assert.equal(planRevisit(failed, ADAPTIVE, PLAIN, DAY), DAY + HOUR)
  })
})

it('without a budget nothing but the batch limits revisits', () => {
  assert.equal(revisitAllowance(currentBudget(FIXED, null, 10, 0), 500), 500)
})

it('a budget fills up with time', () => {
  const settings = { ...FIXED, recrawlBudget: 2400 }
  const budget = currentBudget(settings, null, 1000, 0)
  assert.ok(budget !== null)
  const later = currentBudget(settings, { ...budget, tokens: 0 }, 1000, HOUR / 10)
  assert.equal(revisitAllowance(later, 500), 10)
})
