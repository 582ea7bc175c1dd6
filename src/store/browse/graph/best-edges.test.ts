import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BestEdges } from './best-edges.ts'

test('all edges are kept while they fit, in order', () => {
  const edges = new BestEdges(3, Uint32Array.of(1, 2, 3))
  for (const [from, to] of [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const)
    edges.add(from, to)
  assert.deepEqual(edges.list(), [
    [0, 1],
    [1, 2],
    [2, 0],
  ])
  assert.deepEqual([edges.added, edges.isCut], [3, false])
})

test('of too many edges those with two well linked ends stay, no matter when they came', () => {
  const inlinks = Uint32Array.from({ length: 1000 }, (_, i) => (i === 500 || i === 501 ? 90 : i % 50))
  const edges = new BestEdges(2, inlinks)
  for (let i = 0; i < 999; i++) edges.add(i, i + 1)
  edges.add(501, 500)
  assert.deepEqual(edges.list(), [
    [500, 501],
    [501, 500],
  ])
  assert.deepEqual([edges.added, edges.isCut], [1000, true])
})

test('a limit of zero keeps none', () => {
  const edges = new BestEdges(0, new Uint32Array(2))
  edges.add(0, 1)
  assert.deepEqual([edges.list(), edges.added, edges.isCut], [[], 1, true])
})
