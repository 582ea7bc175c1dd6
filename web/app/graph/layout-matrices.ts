// A graph as the rows of numbers that the step of ForceAtlas2 works on.

import iterate from 'graphology-layout-forceatlas2/iterate.js'

/** Numbers per node: x, y, dx, dy, old dx, old dy, mass, convergence, size, is fixed. */
const NODE_WIDTH = 10
const MASS = 6
const CONVERGENCE = 7
const SIZE = 8
/** Numbers per edge: where its ends are among the numbers of the nodes, and its weight. */
const EDGE_WIDTH = 3

export interface LayoutMatrices {
  nodes: Float32Array<ArrayBuffer>
  edges: Float32Array<ArrayBuffer>
}

export function buildMatrices(
  places: readonly { x: number; y: number; size: number }[],
  edges: readonly { from: number; to: number; weight: number }[],
): LayoutMatrices {
  const nodeRows = new Float32Array(places.length * NODE_WIDTH)
  const edgeRows = new Float32Array(edges.length * EDGE_WIDTH)
  for (const [i, { x, y, size }] of places.entries()) {
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

export function nodeCount(layoutMatrices: LayoutMatrices): number {
  return layoutMatrices.nodes.length / NODE_WIDTH
}

/** Steps until a graph has found its form. Large ones take longer for each, so they get fewer. */
export function layoutStepCount(count: number): number {
  return Math.round(Math.min(400, Math.max(120, 400_000 / Math.max(1, count))))
}

/** One step. It slows down in the second half, so that the graph comes to rest instead of trembling. */
export function runLayoutStep(layoutMatrices: LayoutMatrices, step: number, steps: number): void {
  const count = nodeCount(layoutMatrices)
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
    layoutMatrices.nodes,
    layoutMatrices.edges,
  )
}

/** x and y of each node in turn. */
export function readPositions(layoutMatrices: LayoutMatrices): Float32Array<ArrayBuffer> {
  const count = nodeCount(layoutMatrices)
  const places = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) {
    places[i * 2] = layoutMatrices.nodes[i * NODE_WIDTH] ?? 0
    places[i * 2 + 1] = layoutMatrices.nodes[i * NODE_WIDTH + 1] ?? 0
  }
  return places
}
