// The graph in the browser. It is created from one response and updated by later ones. An edge is pending until both of
// its nodes are known.

import type { RouteResponse } from '../../../src/api/contract/routes.ts'

export type GraphResponse = RouteResponse<'getGraph'>
export type GraphNode = GraphResponse['nodes'][number]
export type GraphEdge = GraphResponse['edges'][number]
export type GraphGrouping = GraphResponse['group']

export interface GraphModel {
  group: GraphGrouping
  version: string
  nodes: Map<string, GraphNode>
  /** Edges by `edgeKey`. */
  edges: Map<string, GraphEdge>
  pendingEdges: Map<string, GraphEdge>
  totalNodes: number
  /** Number of edges on the server, including edges beyond the requested maximum. */
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

export function createModel(response: GraphResponse): GraphModel {
  const model: GraphModel = {
    group: response.group,
    version: response.version,
    nodes: new Map(),
    edges: new Map(),
    pendingEdges: new Map(),
    totalNodes: 0,
    totalEdges: 0,
    isComplete: false,
  }
  updateModel(model, response)
  return model
}

/** Applies a response to the model and returns the changes. */
export function updateModel(model: GraphModel, response: GraphResponse): GraphChanges {
  const changes: GraphChanges = { added: [], changed: [], addedEdges: [] }
  for (const node of response.nodes) {
    const known = model.nodes.get(node.id)
    model.nodes.set(node.id, node)
    if (known === undefined) changes.added.push(node)
    else if (isDifferent(known, node)) changes.changed.push(node)
  }
  for (const edge of response.edges) model.pendingEdges.set(edgeKey(edge), edge)
  for (const [key, edge] of model.pendingEdges) {
    if (!model.nodes.has(edge.from) || !model.nodes.has(edge.to)) continue
    model.pendingEdges.delete(key)
    if (edge.from === edge.to) continue
    if (!model.edges.has(key)) changes.addedEdges.push(edge)
    model.edges.set(key, edge)
  }
  model.version = response.version
  model.totalNodes = response.total_nodes
  model.totalEdges = response.total_edges
  model.isComplete = response.is_complete
  return changes
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

/** Nodes linked with a node, in either direction. */
export function findNeighbours(edges: Iterable<{ from: string; to: string }>, id: string): Set<string> {
  const found = new Set<string>()
  for (const { from, to } of edges) {
    if (from === id) found.add(to)
    else if (to === id) found.add(from)
  }
  return found
}
