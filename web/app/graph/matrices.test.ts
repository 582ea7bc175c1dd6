import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMatrices, moveNodes, placesOf, stepsFor } from './matrices.ts'
import { seat } from './place.ts'

/** Two groups of n nodes, each node linked with all others of its group, and one link between the groups. */
function twoGroups(n: number) {
  const places = Array.from({ length: 2 * n }, (_, i) => ({ ...seat(i, { x: 0, y: 0 }), size: 3 }))
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
  const matrices = buildMatrices(
    [
      { x: 1, y: 2, size: 3 },
      { x: -4, y: 5, size: 3 },
    ],
    [],
  )
  assert.deepEqual([...placesOf(matrices)], [1, 2, -4, 5])
})

test('nodes that are linked end nearer to each other than those that are not', () => {
  const n = 8
  const { places, edges } = twoGroups(n)
  const matrices = buildMatrices(places, edges)
  const steps = stepsFor(places.length)
  for (let step = 0; step < steps; step++) moveNodes(matrices, step, steps)
  const end = placesOf(matrices)
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
  const matrices = buildMatrices(places, edges)
  const steps = stepsFor(places.length)
  for (let step = 0; step < steps - 1; step++) moveNodes(matrices, step, steps)
  const before = placesOf(matrices)
  moveNodes(matrices, steps - 1, steps)
  const after = placesOf(matrices)
  const width = Math.max(...after) - Math.min(...after)
  for (let i = 0; i < after.length; i++) {
    assert.ok(Math.abs((after[i] ?? 0) - (before[i] ?? 0)) < width / 50)
  }
})

test('a larger graph gets fewer steps, and never too few', () => {
  assert.ok(stepsFor(10) > stepsFor(3000))
  assert.ok(stepsFor(50_000) >= 100)
})
