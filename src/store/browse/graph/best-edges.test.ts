import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestEdges } from './best-edges.ts'

const INLINKS = Uint32Array.of(5, 3, 3, 1)

test('all edges are returned if they fit', () => {
  assert.deepEqual(bestEdges([3, 0], [0, 1], INLINKS, 2), [0, 1])
})

test('of too many edges those with two well linked ends are returned, in their order', () => {
  assert.deepEqual(bestEdges([0, 3, 1, 0], [3, 0, 2, 1], INLINKS, 2), [2, 3])
})

test('of equally good edges the first are returned', () => {
  assert.deepEqual(bestEdges([0, 0, 1, 3], [1, 2, 2, 0], INLINKS, 2), [0, 1])
  assert.deepEqual(bestEdges([0, 1], [1, 2], INLINKS, 0), [])
})
