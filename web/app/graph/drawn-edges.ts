// Which edges are drawn. A page with a menu links to half the site, so all links of some thousand pages are a solid ball;
// the lineage, how each url was found first, is a tree and stays readable.

import { edgeKey, type GraphModel } from './graph-model.ts'

export const EDGE_CHOICES = ['lineage', 'links'] as const
export type EdgeChoice = (typeof EDGE_CHOICES)[number]

/** More than this is a solid surface on any screen, and slow. */
export const MAX_EDGES = 12_000

export interface DrawnEdge {
  key: string
  from: string
  to: string
  links: number
  isLineage: boolean
}

/** The lineage first, then the heaviest links, up to a bound. */
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
