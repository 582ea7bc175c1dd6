import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CRITICAL_RANK, chooseRank, LAST_RANK, rankOf, weightedRank } from './rank.ts'

/** A small deterministic generator. */
function sequence(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const NOW = 1_800_000_000_000
const DAY_MS = 86_400_000

describe('the rank of a URL', () => {
  const rank = (depth: number, changes: Partial<Parameters<typeof rankOf>[0]> = {}) =>
    rankOf({ url: 'http://a.test/page', kind: 'page', listing: null, ...changes }, depth, NOW)
  const listed = (priority: number | null, ageDays: number | null) => {
    const lastmod = ageDays === null ? null : NOW - ageDays * DAY_MS
    return rank(1, { listing: { source: 'sitemap', priority, lastmod, changefreq: null } })
  }

  it('is the first for seeds, and grows with the depth', () => {
    assert.deepEqual(
      [0, 1, 5, 9, 100].map((depth) => rank(depth)),
      [1, 2, 6, LAST_RANK, LAST_RANK],
    )
    assert.equal(rank(0, { url: 'http://a.test/x.pdf' }), 1)
  })

  it('is worse for documents', () => {
    assert.equal(rank(1, { url: 'http://a.test/report.PDF' }), 4)
    assert.equal(rank(1, { url: 'http://a.test/index.html' }), 2)
  })

  it('is the last for action URLs, but not for seeds', () => {
    assert.equal(rank(1, { url: 'http://a.test/login?next=/page' }), LAST_RANK)
    assert.equal(rank(0, { url: 'http://a.test/login' }), 1)
  })

  it('follows importance and freshness as the sitemap states them, after the seeds', () => {
    assert.deepEqual([listed(1, 1), listed(1, null), listed(null, 1), listed(null, 100)], [2, 2, 2, 3])
    assert.deepEqual([listed(null, 700), listed(0.1, null), listed(0, 700)], [4, 5, 6])
  })
})

describe('the weight of a host', () => {
  it('multiplies the priority, which stays between 1 and 10', () => {
    assert.deepEqual(
      [0.1, 0.5, 1, 2, 10].map((weight) => weightedRank(7, weight)),
      [10, 9, 7, 3, 1],
    )
    assert.equal(weightedRank(1, 0.1), 10)
  })

  it('does not hold back a critical URL', () => {
    assert.equal(weightedRank(CRITICAL_RANK, 0.1), CRITICAL_RANK)
    assert.equal(
      chooseRank([CRITICAL_RANK, 1, 2], () => 0.99),
      CRITICAL_RANK,
    )
  })
})

describe('choosing a rank', () => {
  it('prefers better ranks, and starves none', () => {
    const random = sequence()
    const taken = new Map<number, number>()
    for (let i = 0; i < 3000; i++) {
      const rank = chooseRank([1, 5, 10], random) ?? 0
      taken.set(rank, (taken.get(rank) ?? 0) + 1)
    }
    const [best = 0, middle = 0, last = 0] = [1, 5, 10].map((rank) => taken.get(rank))
    assert.ok(best > 2 * middle && middle > 2 * last && last > 0, `${best}, ${middle}, ${last}`)
  })

  it('always chooses a rank that is present', () => {
    for (const luck of [0, 0.5, 0.79, 0.8, 0.999]) {
      assert.ok([3, 7].includes(chooseRank([3, 7], () => luck) ?? 0))
      assert.equal(
        chooseRank([7], () => luck),
        7,
      )
    }
    assert.equal(
      chooseRank([], () => 0),
      undefined,
    )
  })
})
