import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundsWithoutOutliers } from './bounds.ts'

test('one node far away does not make all others small', () => {
  const positions = Float32Array.from({ length: 400 }, (_, i) => (i < 2 ? 10_000 : (i >> 1) % 100))
  const { x, y } = boundsWithoutOutliers(positions)
  assert.ok(x[1] < 200 && y[1] < 200)
  assert.equal(x[0], 0)
})

test('nodes near the others are all inside', () => {
  const positions = Float32Array.from({ length: 200 }, (_, i) => i >> 1)
  assert.deepEqual(boundsWithoutOutliers(positions), { x: [0, 99], y: [0, 99] })
})
