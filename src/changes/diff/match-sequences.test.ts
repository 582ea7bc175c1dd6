import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { matchSequences } from './match-sequences.ts'

function pairs(a: number[], b: number[]): [number, number][] {
  return [...matchSequences(a, b)].flatMap((j, i): [number, number][] => (j === -1 ? [] : [[i, j]]))
}

/** The length of the longest common subsequence, in quadratic time. */
function longestCommon(a: number[], b: number[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const x of a) {
    const next = [0]
    for (const [j, y] of b.entries()) {
      next.push(x === y ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

const sequence = fc.array(fc.nat(6), { maxLength: 40 })

describe('matched sequences', () => {
  it('have equal partners in order, as many as possible', () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const matched = pairs(a, b)
        for (const [i, j] of matched) assert.equal(a[i], b[j])
        for (const [n, [i, j]] of matched.slice(1).entries()) {
          const [before, after] = matched[n] ?? [0, 0]
          assert.ok(before < i && after < j)
        }
        assert.equal(matched.length, longestCommon(a, b))
      }),
      { numRuns: 500 },
    )
  })

  it('are split at unique elements if they differ too much', () => {
    const a = Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? i : i % 7))
    const b = a.map((value, i) => (i % 3 === 0 ? value : 10_000 + i))
    const unique = a.filter((value, i) => i % 3 === 0 && value > 6).length
    assert.ok(pairs(a, b).length >= unique)
  })

  it('take bounded work for texts without anything in common, or with the same element again and again', () => {
    const [a, b] = [0, 1].map((k) => Array.from({ length: 20_000 }, (_, i) => (i % 5) + 5 * k)) as [number[], number[]]
    const before = process.cpuUsage()
    assert.equal(pairs(a, b).length, 0)
    pairs(
      a,
      a.map((value) => 4 - value),
    )
    const { user } = process.cpuUsage(before)
    assert.ok(user < 10_000_000, `${user} µs`)
  })
})
