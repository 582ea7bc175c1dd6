import assert from 'node:assert/strict'
import { it } from 'node:test'
import { countPairs } from './count-pairs.ts'

/** URLs by group; 3 is in none. Links are pairs of positions. */
function count(groupOf: number[], links: [from: number, to: number][], maxPairs = 9) {
  const targets: number[] = []
  const starts = groupOf.map((_, position) => {
    const start = targets.length
    targets.push(...links.filter(([from]) => from === position).map(([, to]) => to))
    return start
  })
  const treeLinks = {
    starts: Uint32Array.from([...starts, targets.length]),
    targets: Uint32Array.from(targets),
    inlinks: new Uint32Array(groupOf.length),
    isWhole: true,
  }
  const { edges, inlinks, ...counts } = countPairs(treeLinks, Uint16Array.from(groupOf), { groups: 3, maxPairs })
  const listed = Array.from(edges.from, (from, i) => `${from} ${edges.to[i]} ${edges.links[i]}`)
  return { ...counts, inlinks: [...inlinks], edges: listed }
}

const LINKS: [number, number][] = [
  [0, 2],
  [1, 2],
  [2, 0],
  [2, 3],
  [3, 0],
]

it('pairs of groups are counted separately, heaviest first; links within a group are not counted', () => {
  const counted = count([0, 0, 1, 2], [...LINKS, [0, 1]])
  assert.deepEqual(counted, { links: 5, inlinks: [2, 2, 1], pairs: 4, edges: ['0 1 2', '1 0 1', '1 2 1', '2 0 1'] })
})

it('of too many pairs those with the most links are returned, and of equal pairs the first', () => {
  assert.deepEqual(count([0, 0, 1, 2], LINKS, 2).edges, ['0 1 2', '1 0 1'])
  assert.deepEqual(count([0, 0, 1, 2], LINKS, 0).edges, [])
})

it('URLs in no group add to links and inlinks, but are in no pair', () => {
  assert.deepEqual(count([0, 0, 1, 3], LINKS), { links: 5, inlinks: [2, 2, 0], pairs: 2, edges: ['0 1 2', '1 0 1'] })
})

it('without links there are no pairs', () => {
  assert.deepEqual(count([0, 1], []), { links: 0, inlinks: [0, 0, 0], pairs: 0, edges: [] })
})
