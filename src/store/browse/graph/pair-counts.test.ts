import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PairCounts } from './pair-counts.ts'

function counted(groups: number, links: [from: number, to: number, times: number][], maxPairs?: number): PairCounts {
  const counts = new PairCounts(groups, maxPairs)
  for (const [from, to, times] of links) {
    for (let i = 0; i < times; i++) counts.add(from, to)
  }
  return counts
}

const listPairs = (counts: PairCounts, most: number) => {
  const { pairs, total } = counts.mostLinked(most)
  return [...pairs.map(({ from, to, links }) => `${from} ${to} ${links}`), total]
}

// With few groups all pairs fit into a table.
for (const groups of [5, 4000]) {
  const last = groups - 1

  it(`pairs of ${groups} groups are counted separately, heaviest first`, () => {
    const counts = counted(groups, [
      [0, last, 1],
      [last, 0, 2],
      [0, last, 2],
      [1, 2, 1],
    ])
    assert.deepEqual(listPairs(counts, 9), [`0 ${last} 3`, `${last} 0 2`, '1 2 1', 3])
    assert.deepEqual(listPairs(counts, 2), [`0 ${last} 3`, `${last} 0 2`, 3])
    assert.deepEqual(listPairs(counts, 0), [3])
  })

  it(`among equal pairs of ${groups} groups the first ones fill the remaining room`, () => {
    const counts = counted(groups, [
      [0, 1, 1],
      [0, 2, 1],
      [1, 0, 5],
      [2, 0, 1],
    ])
    assert.deepEqual(listPairs(counts, 2), ['1 0 5', '0 1 1', 4])
    assert.deepEqual(listPairs(counts, 3), ['1 0 5', '0 1 1', '0 2 1', 4])
  })
}

it('no more pairs are kept than the limit, and those that are kept are still counted', () => {
  const counts = new PairCounts(50_000, 10)
  for (let i = 0; i < 1000; i++) counts.add(i, i + 1)
  counts.add(3, 4)
  assert.deepEqual(listPairs(counts, 1), ['3 4 2', 10])
})

it('without links there are no pairs', () => {
  assert.deepEqual(listPairs(new PairCounts(3), 5), [0])
})
