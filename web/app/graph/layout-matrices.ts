// Converts a graph to and from the matrices that ForceAtlas2 works on.

import iterate from 'graphology-layout-forceatlas2/iterate.js'

/** Numbers per node: x, y, dx, dy, old dx, old dy, mass, convergence, size, is fixed. */
const NODE_WIDTH = 10
const MASS = 6
const CONVERGENCE = 7
const SIZE = 8
/** Numbers per edge: offsets of its two nodes in the node matrix, and its weight. */
const EDGE_WIDTH = 3

export interface LayoutMatrices {
  nodes: Float32Array<ArrayBuffer>
  edges: Float32Array<ArrayBuffer>
}

export function buildMatrices(
  nodes: readonly { x: number; y: number; size: number }[],
  edges: readonly { from: number; to: number; weight: number }[],
): LayoutMatrices {
  const nodeRows = new Float32Array(nodes.length * NODE_WIDTH)
  const edgeRows = new Float32Array(edges.length * EDGE_WIDTH)
  for (const [i, { x, y, size }] of nodes.entries()) {
    const at = i * NODE_WIDTH
    nodeRows[at] = x
    nodeRows[at + 1] = y
    nodeRows[at + MASS] = 1
    nodeRows[at + CONVERGENCE] = 1
    nodeRows[at + SIZE] = size
  }
  for (const [i, { from, to, weight }] of edges.entries()) {
    const ends = [from * NODE_WIDTH, to * NODE_WIDTH]
    edgeRows.set([...ends, weight], i * EDGE_WIDTH)
    for (const end of ends) nodeRows[end + MASS] = (nodeRows[end + MASS] ?? 0) + weight
  }
  return { nodes: nodeRows, edges: edgeRows }
}

export function nodeCount(matrices: LayoutMatrices): number {
  return matrices.nodes.length / NODE_WIDTH
}

/** Number of layout steps. Steps of a large graph take longer, so it gets fewer. */
export function layoutStepCount(count: number): number {
  return Math.round(Math.min(400, Math.max(120, 400_000 / Math.max(1, count))))
}

/** Runs one step. Movement slows down in the second half, so the graph settles instead of oscillating. */
export function runLayoutStep(matrices: LayoutMatrices, step: number, steps: number): void {
  const count = nodeCount(matrices)
  const late = Math.max(0, (2 * step) / steps - 1)
  iterate(
    {
      linLogMode: false,
      outboundAttractionDistribution: false,
      adjustSizes: false,
      edgeWeightInfluence: 1,
      scalingRatio: 10,
      strongGravityMode: true,
      gravity: 0.05,
      slowDown: (1 + Math.log(Math.max(1, count))) * (1 + 9 * late),
      barnesHutOptimize: count > 1000,
      barnesHutTheta: 0.8,
    },
    matrices.nodes,
    matrices.edges,
  )
}

/** x and y of every node. */
export function readPositions(matrices: LayoutMatrices): Float32Array<ArrayBuffer> {
  const count = nodeCount(matrices)
  const positions = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) {
    positions[i * 2] = matrices.nodes[i * NODE_WIDTH] ?? 0
    positions[i * 2 + 1] = matrices.nodes[i * NODE_WIDTH + 1] ?? 0
  }
  return positions
}
