import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestPositions } from './best-positions.ts'

test('all positions are returned if they fit', () => {
  assert.deepEqual(bestPositions(Uint32Array.of(1, 3), 2), [0, 1])
})

test('of too many numbers the positions of the highest are returned, in their order', () => {
  assert.deepEqual(bestPositions(Uint32Array.of(1, 2, 5, 9), 2), [2, 3])
})

test('of equal numbers the first are returned', () => {
  assert.deepEqual(bestPositions(Uint32Array.of(3, 5, 3, 3, 1), 3), [0, 1, 2])
  assert.deepEqual(bestPositions(Uint32Array.of(3, 3), 0), [])
})
