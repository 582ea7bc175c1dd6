// The graph as the browser holds it. It starts with one answer of the server and grows by later ones. An edge whose other
// end has not come yet waits for it.

import type { RouteResponse } from '../../../src/api/contract/routes.ts'

export type GraphResponse = RouteResponse<'getGraph'>
export type GraphNode = GraphResponse['nodes'][number]
export type GraphEdge = GraphResponse['edges'][number]
export type GraphGrouping = GraphResponse['group']

export interface GraphModel {
  group: GraphGrouping
  version: string
  nodes: Map<string, GraphNode>
  /** By edgeKey. */
  edges: Map<string, GraphEdge>
  pendingEdges: Map<string, GraphEdge>
  totalNodes: number
  /** On the server; those beyond what can be drawn were not asked for. */
  totalEdges: number
  isComplete: boolean
}

export interface GraphChanges {
  added: GraphNode[]
  changed: GraphNode[]
  addedEdges: GraphEdge[]
}

export function edgeKey(edge: { from: string; to: string }): string {
  return `${edge.from}>${edge.to}`
}

export function createModel(answer: GraphResponse): GraphModel {
  const model: GraphModel = {
    group: answer.group,
    version: answer.version,
    nodes: new Map(),
    edges: new Map(),
    pendingEdges: new Map(),
    totalNodes: 0,
    totalEdges: 0,
    isComplete: false,
  }
  updateModel(model, answer)
  return model
}

/** Changes the model, and tells how. */
export function updateModel(model: GraphModel, answer: GraphResponse): GraphChanges {
  const graphChanges: GraphChanges = { added: [], changed: [], addedEdges: [] }
  for (const node of answer.nodes) {
    const known = model.nodes.get(node.id)
    model.nodes.set(node.id, node)
    if (known === undefined) graphChanges.added.push(node)
    else if (isDifferent(known, node)) graphChanges.changed.push(node)
  }
  for (const edge of answer.edges) model.pendingEdges.set(edgeKey(edge), edge)
  for (const [key, edge] of model.pendingEdges) {
    if (!model.nodes.has(edge.from) || !model.nodes.has(edge.to)) continue
    model.pendingEdges.delete(key)
    if (edge.from === edge.to) continue
    if (!model.edges.has(key)) graphChanges.addedEdges.push(edge)
    model.edges.set(key, edge)
  }
  model.version = answer.version
  model.totalNodes = answer.total_nodes
  model.totalEdges = answer.total_edges
  model.isComplete = answer.is_complete
  return graphChanges
}

function isDifferent(a: GraphNode, b: GraphNode): boolean {
  return (
    a.state !== b.state ||
    a.depth !== b.depth ||
    a.urls !== b.urls ||
    a.inlinks !== b.inlinks ||
    a.rank !== b.rank ||
    a.parent !== b.parent
  )
}

/** Those that a node has a link with, in both directions. */
export function findNeighbours(edges: Iterable<{ from: string; to: string }>, id: string): Set<string> {
  const found = new Set<string>()
  for (const { from, to } of edges) {
    if (from === id) found.add(to)
    else if (to === id) found.add(from)
  }
  return found
}
