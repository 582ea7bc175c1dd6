import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sunflowerPosition } from './initial-positions.ts'
import { buildMatrices, layoutStepCount, readPositions, runLayoutStep } from './layout-matrices.ts'

/** Two groups of n nodes, each node linked with all others of its group, and one link between the groups. */
function twoGroups(n: number) {
  const places = Array.from({ length: 2 * n }, (_, i) => ({ ...sunflowerPosition(i, { x: 0, y: 0 }), size: 3 }))
  const edges = [{ from: 0, to: n, weight: 1 }]
  for (let a = 0; a < 2 * n; a++) {
    for (let b = a + 1; b < 2 * n; b++) if (a < n === b < n) edges.push({ from: a, to: b, weight: 1 })
  }
  return { places, edges }
}

function distance(places: Float32Array, a: number, b: number): number {
  const [ax = 0, ay = 0] = places.subarray(a * 2)
  const [bx = 0, by = 0] = places.subarray(b * 2)
  return Math.hypot(ax - bx, ay - by)
}

test('places go into the matrices and come out as they were', () => {
  const layoutMatrices = buildMatrices(
    [
      { x: 1, y: 2, size: 3 },
      { x: -4, y: 5, size: 3 },
    ],
    [],
  )
  assert.deepEqual([...readPositions(layoutMatrices)], [1, 2, -4, 5])
})

test('nodes that are linked end nearer to each other than those that are not', () => {
  const n = 8
  const { places, edges } = twoGroups(n)
  const layoutMatrices = buildMatrices(places, edges)
  const steps = layoutStepCount(places.length)
  for (let step = 0; step < steps; step++) runLayoutStep(layoutMatrices, step, steps)
  const end = readPositions(layoutMatrices)
  let inside = 0
  let across = 0
  for (let a = 1; a < n; a++) {
    for (let b = 1; b < n; b++) {
      if (a !== b) inside += distance(end, a, b) / (n - 1) / (n - 2)
      across += distance(end, a, n + b) / (n - 1) / (n - 1)
    }
  }
  assert.ok(across > 2 * inside, `across ${across}, inside ${inside}`)
})

test('the last steps hardly move anything', () => {
  const { places, edges } = twoGroups(20)
  const layoutMatrices = buildMatrices(places, edges)
  const steps = layoutStepCount(places.length)
  for (let step = 0; step < steps - 1; step++) runLayoutStep(layoutMatrices, step, steps)
  const before = readPositions(layoutMatrices)
  runLayoutStep(layoutMatrices, steps - 1, steps)
  const after = readPositions(layoutMatrices)
  const width = Math.max(...after) - Math.min(...after)
  for (let i = 0; i < after.length; i++) {
    assert.ok(Math.abs((after[i] ?? 0) - (before[i] ?? 0)) < width / 50)
  }
})

test('a larger graph gets fewer steps, and never too few', () => {
  assert.ok(layoutStepCount(10) > layoutStepCount(3000))
  assert.ok(layoutStepCount(50_000) >= 100)
})
