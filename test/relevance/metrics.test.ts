import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { averagePrecision, mean, ndcgAt, recallAt, reciprocalRankAt } from '../../bench/relevance/metrics.ts'

/** Compares to ten digits: sums of logarithms are not exact. */
function assertNear(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 1e-10, `${actual} is not ${expected}`)
}

describe('ndcgAt', () => {
  it('is 1 for the best possible ranking', () => {
    assertNear(ndcgAt(10, [2, 1, 1, 0], [1, 2, 1]), 1)
  })

  it('discounts a gain by the logarithm of its rank', () => {
    // The example of Järvelin and Kekäläinen, with trec_eval's discount: rank 1 is not discounted, rank 2 by log2(3).
    const ranking = [3, 2, 3, 0, 1, 2]
    const gained = 3 + 2 / Math.log2(3) + 3 / 2 + 1 / Math.log2(6) + 2 / Math.log2(7)
    const ideal = 3 + 3 / Math.log2(3) + 3 / 2 + 2 / Math.log2(5) + 2 / Math.log2(6) + 2 / Math.log2(7)
    assertNear(ndcgAt(6, ranking, [3, 3, 3, 2, 2, 2, 1]), gained / ideal)
  })

  it('compares with the ideal of the same depth, so ten of many relevant documents are enough', () => {
    assertNear(ndcgAt(10, Array(10).fill(1), Array(40).fill(1)), 1)
  })

  it('ignores hits beyond the depth', () => {
    assertNear(ndcgAt(2, [0, 0, 1], [1]), 0)
  })

  it('is 0 for an empty answer', () => {
    assert.equal(ndcgAt(10, [], [1]), 0)
  })
})

describe('averagePrecision', () => {
  it('averages the precision at each relevant hit', () => {
    assertNear(averagePrecision([1, 0, 1, 0, 0, 1], [1, 1, 1]), (1 / 1 + 2 / 3 + 3 / 6) / 3)
  })

  it('counts relevant documents that were not found as 0', () => {
    assertNear(averagePrecision([0, 1], [1, 1, 1, 1]), 1 / 2 / 4)
  })

  it('treats all gains above 0 alike', () => {
    assertNear(averagePrecision([3, 1], [1, 3]), 1)
  })
})

describe('recallAt', () => {
  it('is the share of all relevant documents among the first hits', () => {
    assertNear(recallAt(3, [0, 2, 1, 1], [1, 1, 2, 1]), 2 / 4)
  })
})

describe('reciprocalRankAt', () => {
  it('is one over the rank, and 0 beyond the depth or without a right answer', () => {
    assert.equal(reciprocalRankAt(10, 4), 1 / 4)
    assert.equal(reciprocalRankAt(10, 11), 0)
    assert.equal(reciprocalRankAt(10, null), 0)
  })
})

it('the mean counts every value', () => {
  assert.equal(mean([1, 0, 0.5]), 0.5)
})
