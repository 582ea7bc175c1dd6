// Selects the edges to draw. Navigation menus link to half the site, so all links of a few thousand pages form a solid
// ball. The lineage, from which page each URL was first discovered, is a tree and stays readable.

import { edgeKey, type GraphModel } from './graph-model.ts'

export const EDGE_CHOICES = ['lineage', 'links'] as const
export type EdgeChoice = (typeof EDGE_CHOICES)[number]

/** Limit of edges between URLs: more are slow and fill the screen. */
export const MAX_EDGES = 12_000
/** Limit of edges between groups. */
export const MAX_GROUP_EDGES = 300

export interface DrawnEdge {
  key: string
  from: string
  to: string
  links: number
  isLineage: boolean
}

/** The lineage, then the heaviest links, up to `maxEdges`. */
export function selectDrawnEdges(model: GraphModel, choice: EdgeChoice, maxEdges: number): DrawnEdge[] {
  const drawn = listLineageEdges(model)
  if (choice === 'lineage') return drawn.slice(0, maxEdges)
  const known = new Set(drawn.map((edge) => edge.key))
  const others: DrawnEdge[] = []
  for (const [key, edge] of model.edges) {
    if (!known.has(key)) others.push({ key, from: edge.from, to: edge.to, links: edge.links, isLineage: false })
  }
  if (drawn.length + others.length > maxEdges) others.sort((a, b) => b.links - a.links)
  return [...drawn, ...others].slice(0, maxEdges)
}

function listLineageEdges(model: GraphModel): DrawnEdge[] {
  const edges: DrawnEdge[] = []
  for (const node of model.nodes.values()) {
    if (node.parent === null || node.parent === node.id || !model.nodes.has(node.parent)) continue
    const key = edgeKey({ from: node.parent, to: node.id })
    edges.push({ key, from: node.parent, to: node.id, links: model.edges.get(key)?.links ?? 1, isLineage: true })
  }
  return edges
}
