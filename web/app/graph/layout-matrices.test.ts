import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sunflowerPosition } from './initial-positions.ts'
import { buildMatrices, layoutStepCount, readPositions, runLayoutStep } from './layout-matrices.ts'

/** Two fully linked groups of n nodes, with one link between the groups. */
function twoGroups(n: number) {
  const nodes = Array.from({ length: 2 * n }, (_, i) => ({ ...sunflowerPosition(i, { x: 0, y: 0 }), size: 3 }))
  const edges = [{ from: 0, to: n, weight: 1 }]
  for (let a = 0; a < 2 * n; a++) {
    for (let b = a + 1; b < 2 * n; b++) if (a < n === b < n) edges.push({ from: a, to: b, weight: 1 })
  }
  return { nodes, edges }
}

function distance(positions: Float32Array, a: number, b: number): number {
  const [ax = 0, ay = 0] = positions.subarray(a * 2)
  const [bx = 0, by = 0] = positions.subarray(b * 2)
  return Math.hypot(ax - bx, ay - by)
}

test('positions survive the conversion to matrices and back', () => {
  const matrices = buildMatrices(
    [
      { x: 1, y: 2, size: 3 },
      { x: -4, y: 5, size: 3 },
    ],
    [],
  )
  assert.deepEqual([...readPositions(matrices)], [1, 2, -4, 5])
})

test('linked nodes end closer together than unlinked ones', () => {
  const n = 8
  const { nodes, edges } = twoGroups(n)
  const matrices = buildMatrices(nodes, edges)
  const steps = layoutStepCount(nodes.length)
  for (let step = 0; step < steps; step++) runLayoutStep(matrices, step, steps)
  const end = readPositions(matrices)
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

test('the last step barely moves anything', () => {
  const { nodes, edges } = twoGroups(20)
  const matrices = buildMatrices(nodes, edges)
  const steps = layoutStepCount(nodes.length)
  for (let step = 0; step < steps - 1; step++) runLayoutStep(matrices, step, steps)
  const before = readPositions(matrices)
  runLayoutStep(matrices, steps - 1, steps)
  const after = readPositions(matrices)
  const width = Math.max(...after) - Math.min(...after)
  for (let i = 0; i < after.length; i++) {
    assert.ok(Math.abs((after[i] ?? 0) - (before[i] ?? 0)) < width / 50)
  }
})

test('a larger graph gets fewer steps, down to a minimum', () => {
  assert.ok(layoutStepCount(10) > layoutStepCount(3000))
  assert.ok(layoutStepCount(50_000) >= 100)
})
