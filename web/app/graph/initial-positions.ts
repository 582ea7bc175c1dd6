// The position of a node before the layout moves it: beside the page it was discovered on, so a growing graph grows at
// its edges and nothing jumps. Deterministic.

import type { GraphNode } from './graph-model.ts'

export interface NodePosition {
  x: number
  y: number
}

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))
const STEP = 3

/** The n-th position of a sunflower spiral: evenly distributed from the centre, no two equal. */
export function sunflowerPosition(n: number, centre: NodePosition): NodePosition {
  const radius = STEP * Math.sqrt(n + 1)
  const angle = n * GOLDEN_ANGLE
  return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) }
}

/** Positions for new nodes. Nodes without a known parent go around the origin. */
export function assignInitialPositions(
  added: readonly GraphNode[],
  known: ReadonlyMap<string, NodePosition>,
): Map<string, NodePosition> {
  const positions = new Map<string, NodePosition>()
  const childCounts = new Map<string, number>()
  const addedById = new Map(added.map((node) => [node.id, node]))
  let orphans = known.size
  for (const node of added) {
    for (const next of unpositionedAncestors(node, addedById, positions)) {
      const parent = next.parent ?? ''
      const centre = positions.get(parent) ?? known.get(parent)
      const n = centre === undefined ? orphans++ : (childCounts.get(parent) ?? 0)
      if (centre !== undefined) childCounts.set(parent, n + 1)
      positions.set(next.id, sunflowerPosition(n, centre ?? { x: 0, y: 0 }))
    }
  }
  return positions
}

/** The node and its ancestors without a position, topmost first. Handles cycles. */
function unpositionedAncestors(
  node: GraphNode,
  addedById: Map<string, GraphNode>,
  positions: Map<string, NodePosition>,
): GraphNode[] {
  const chain = new Map<string, GraphNode>()
  let next: GraphNode | undefined = node
  while (next !== undefined && !positions.has(next.id) && !chain.has(next.id)) {
    chain.set(next.id, next)
    next = next.parent === null ? undefined : addedById.get(next.parent)
  }
  return [...chain.values()].reverse()
}
