// Where a node starts, before the layout moves it: beside the page that it was found on, so that a growing graph grows at
// its edges and nothing jumps. The same graph starts the same way every time.

import type { GraphNode } from './graph-model.ts'

export interface NodePosition {
  x: number
  y: number
}

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))
const STEP = 3

/** The n-th seat of a sunflower: evenly filled from the middle, and no two the same. */
export function sunflowerPosition(n: number, middle: NodePosition): NodePosition {
  const radius = STEP * Math.sqrt(n + 1)
  const angle = n * GOLDEN_ANGLE
  return { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) }
}

/** Places for new nodes; those without a known parent are set around the middle of all. */
export function assignInitialPositions(
  added: readonly GraphNode[],
  known: ReadonlyMap<string, NodePosition>,
): Map<string, NodePosition> {
  const placed = new Map<string, NodePosition>()
  const seated = new Map<string, number>()
  const news = new Map(added.map((node) => [node.id, node]))
  let loose = known.size
  for (const node of added) {
    for (const next of unpositionedAncestors(node, news, placed)) {
      const parent = next.parent ?? ''
      const beside = placed.get(parent) ?? known.get(parent)
      const n = beside === undefined ? loose++ : (seated.get(parent) ?? 0)
      if (beside !== undefined) seated.set(parent, n + 1)
      placed.set(next.id, sunflowerPosition(n, beside ?? { x: 0, y: 0 }))
    }
  }
  return placed
}

/** The node and those above it that have no place yet, the highest first. Ends also when parents go in a ring. */
function unpositionedAncestors(
  node: GraphNode,
  news: Map<string, GraphNode>,
  placed: Map<string, NodePosition>,
): GraphNode[] {
  const line = new Map<string, GraphNode>()
  let next: GraphNode | undefined = node
  while (next !== undefined && !placed.has(next.id) && !line.has(next.id)) {
    line.set(next.id, next)
    next = next.parent === null ? undefined : news.get(next.parent)
  }
  return [...line.values()].reverse()
}
