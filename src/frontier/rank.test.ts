import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseRank } from './rank.ts'

/** A small deterministic generator. */
function sequence(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

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
