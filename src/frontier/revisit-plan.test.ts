import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NEW_HOST } from './host-freshness.ts'
import { DEFAULT_PRIOR } from './recrawl/priors.ts'
import { addSignal, addVisit, type EndedVisit, type RevisitHistory } from './revisit-history.ts'
import { currentBudget, planRevisit, revisitAllowance } from './revisit-plan.ts'
import { testEnd } from './testing/visit-ends.ts'

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
const PLAIN = { threshold: null, roundMs: null, prior: DEFAULT_PRIOR, signals: NEW_HOST.signals }
const CONTEXT = { settings: { keepDays: 10 }, prior: DEFAULT_PRIOR, signals: NEW_HOST.signals }
const FIXED = { ...ADAPTIVE, recrawl: 6 * HOUR }

const end = testEnd

/** The history after visits at these times. */
function historyOf(...visits: [at: number, end: EndedVisit][]): RevisitHistory {
  let history: RevisitHistory | null = null
  for (const [at, visit] of visits) history = addVisit(history, visit, { ...CONTEXT, now: at })
  assert.ok(history !== null)
  return history
}

it('a page is due sooner with a higher link rank, if visits are scarce', () => {
  const history = historyOf([0, end()], [DAY, end({ observedHash: 'b' })])
  const dueAt = (linkRank: number | null, threshold: number | null) =>
    planRevisit({ ...history, linkRank }, ADAPTIVE, { ...PLAIN, threshold }, DAY)
  assert.ok(dueAt(1, 10 * HOUR) < dueAt(null, 10 * HOUR) && dueAt(null, 10 * HOUR) < dueAt(0, 10 * HOUR))
  assert.equal(dueAt(1, null), dueAt(0, null))
})

describe('the history of a URL', () => {
  it('counts a change if something else was seen', () => {
    const { visits, changedAt, visitedAt } = historyOf([0, end()], [DAY, end()], [2 * DAY, end({ observedHash: 'b' })])
    assert.deepEqual([visits, changedAt, visitedAt], [3, 2 * DAY, 2 * DAY])
  })

  it('keeps what was seen if the server says that nothing has changed', () => {
    const unchanged = end({ observedHash: 'x', etag: null, isUnchanged: true })
    const { observedHash, etag, changedAt } = historyOf([0, end()], [DAY, unchanged])
    assert.deepEqual([observedHash, etag, changedAt], ['a', '"1"', 0])
  })

  it('learns nothing from a visit that failed', () => {
    const seen = historyOf([0, end()], [DAY, end()])
    const failed = addVisit(seen, end({ state: 'failed', reason: 'timeout', observedHash: null }), {
      ...CONTEXT,
      now: 2 * DAY,
    })
    assert.deepEqual(failed, { ...seen, state: 'failed', reason: 'timeout' })
    assert.equal(addVisit(failed, end(), { ...CONTEXT, now: 3 * DAY }).changedAt, 0)
  })

  it('counts removal and return as changes', () => {
    for (const gone of [
      end({ state: 'not_found', observedHash: null }),
      end({ state: 'http_error', reason: 'http_410', observedHash: null }),
    ]) {
      assert.equal(historyOf([0, end()], [DAY, gone]).changedAt, DAY)
      assert.equal(historyOf([0, end()], [DAY, gone], [2 * DAY, end()]).changedAt, 2 * DAY)
    }
  })
})

describe('the archived version of a URL', () => {
  it('is kept while visits find it unchanged', () => {
    const archived = end({ isArchived: true })
    const unchanged = end({ isUnchanged: true })
    assert.equal(historyOf([0, archived], [DAY, unchanged]).expiresAt, 10 * DAY)
    assert.equal(historyOf([0, archived], [3 * DAY, unchanged]).expiresAt, 13 * DAY)
  })

  it('never expires once that is the setting', () => {
    const archived = historyOf([0, end({ isArchived: true })])
    const kept = { ...CONTEXT, settings: { keepDays: null }, now: DAY }
    assert.equal(addVisit(archived, end({ isUnchanged: true }), kept).expiresAt, null)
  })

  it('is not known if other content was found that is not archived', () => {
    assert.equal(historyOf([0, end({ isArchived: true })], [DAY, end({ observedHash: 'b' })]).expiresAt, null)
  })
})

describe('signals about a URL', () => {
  const trusted = { right: 50, wrong: 1, missed: 5 }
  const signals = { sitemap: trusted, feed: trusted }
  const listed = historyOf([0, end({ isInSitemap: true })], [10 * DAY, end({ isInSitemap: true })])

  it('make it due sooner if they are trusted', () => {
    for (const kind of ['sitemap', 'feed'] as const) {
      const signalled = addSignal(listed, kind, { isChange: true, now: 11 * DAY })
      assert.equal(planRevisit(signalled, ADAPTIVE, { ...PLAIN, signals }, 10 * DAY), 11 * DAY)
      assert.equal(planRevisit(signalled, ADAPTIVE, PLAIN, 10 * DAY), planRevisit(listed, ADAPTIVE, PLAIN, 10 * DAY))
    }
  })

  it('make it due later while a sitemap that is trusted is silent', () => {
    const silent = planRevisit(listed, ADAPTIVE, { ...PLAIN, signals }, 10 * DAY)
    assert.ok(silent > planRevisit(listed, ADAPTIVE, PLAIN, 10 * DAY))
  })

  it('count from the first one, until the next observation', () => {
    const once = addSignal(listed, 'sitemap', { isChange: true, now: 11 * DAY })
    assert.equal(addSignal(once, 'sitemap', { isChange: true, now: 12 * DAY }), once)
    assert.equal(addSignal(once, 'sitemap', { isChange: false, now: 12 * DAY }), once)
    const seen = addVisit(once, end({ observedHash: 'b' }), { ...CONTEXT, now: 13 * DAY })
    assert.deepEqual(seen.signals, { sitemap: 0, feed: null })
  })

  it('leave the evidence of a change at the time of the signal, not of the visit', () => {
    const once = addSignal(listed, 'sitemap', { isChange: true, now: 11 * DAY })
    const late = addVisit(once, end({ observedHash: 'b' }), { ...CONTEXT, signals, now: 30 * DAY })
    const unannounced = addVisit(listed, end({ observedHash: 'b' }), { ...CONTEXT, signals, now: 30 * DAY })
    assert.ok(late.observedMs < unannounced.observedMs)
  })
})

describe('a sitemap or feed', () => {
  const source = {
    ...historyOf([0, end()], [DAY, end({ observedHash: 'b' })], [2 * DAY, end()]),
    rateGroup: '@sitemap',
  }
  const budget = { ...PLAIN, threshold: 1e12, roundMs: 4 * DAY }

  it('is visited even if it changes too often to be worth it, and not much more often than pages', () => {
    const page = { ...source, rateGroup: '/ text/html' }
    assert.ok(planRevisit(page, ADAPTIVE, budget, 2 * DAY) > 20 * DAY)
    assert.ok(planRevisit(source, ADAPTIVE, budget, 2 * DAY) < 4 * DAY)
    assert.ok(planRevisit(source, ADAPTIVE, { ...budget, roundMs: 40 * DAY }, 2 * DAY) >= 12 * DAY)
    const trusted = { right: 50, wrong: 1, missed: 5 }
    const signals = { sitemap: trusted, feed: trusted }
    assert.ok(planRevisit(source, ADAPTIVE, { ...budget, roundMs: 40 * DAY, signals }, 2 * DAY) < 6 * DAY)
  })
})

describe('the next visit', () => {
  it('comes after the interval, if there is one', () => {
    assert.equal(planRevisit(historyOf([0, end()]), FIXED, PLAIN, 100), 100 + 6 * HOUR)
  })

  it('of a page that is gone comes after twice the last interval, up to the longest', () => {
    const gone = historyOf([0, end({ state: 'not_found', observedHash: null })])
    assert.equal(planRevisit({ ...gone, intervalMs: 10 * HOUR }, FIXED, PLAIN, 0), 20 * HOUR)
    assert.equal(planRevisit({ ...gone, intervalMs: 20 * DAY }, FIXED, PLAIN, 0), 30 * DAY)
  })

  it('of a page of which nothing is known comes after about a day', () => {
    assert.equal(Math.round(planRevisit(historyOf([0, end()]), ADAPTIVE, PLAIN, 0) / HOUR), 24)
  })

  it('comes sooner if the page changes often, and later if it does not, within the bounds', () => {
    const observations = (count: number, everyMs: number, hashAt: (i: number) => string) =>
      historyOf(
        ...Array.from({ length: count }, (_, i): [number, EndedVisit] => [
          i * everyMs,
          end({ observedHash: hashAt(i) }),
        ]),
      )
    const busy = planRevisit(observations(200, HOUR, String), ADAPTIVE, PLAIN, 0)
    const quiet = planRevisit(
      observations(200, 10 * DAY, () => 'a'),
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

  it('of a page that matters more comes sooner if visits are scarce', () => {
    const page = historyOf([0, end()], [10 * DAY, end({ observedHash: 'b' })])
    const budget = { ...PLAIN, threshold: 10 * HOUR, roundMs: 4 * DAY }
    const due = (importance: number) => planRevisit({ ...page, importance }, ADAPTIVE, budget, 10 * DAY)
    assert.ok(due(3) < due(1) && due(1) < due(0.3))
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
