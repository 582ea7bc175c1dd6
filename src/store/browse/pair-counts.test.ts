import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PairCounts } from './pair-counts.ts'

for (const groups of [5, 3000]) {
  it(`pairs of ${groups} groups are counted each by itself`, () => {
    const counts = new PairCounts(groups)
    const last = groups - 1
    for (const [from, to] of [
      [0, last],
      [last, 0],
      [0, last],
      [1, 2],
    ] as const) {
      counts.add(from, to)
    }
    assert.deepEqual(
      [...counts.entries()].map(({ from, to, links }) => `${from} ${to} ${links}`).sort(),
      [`0 ${last} 2`, '1 2 1', `${last} 0 1`].sort(),
    )
  })
}
