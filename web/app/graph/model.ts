// The graph as the browser holds it. It starts with one answer of the server and grows by later ones. An edge whose other
// end has not come yet waits for it.

import type { RouteAnswer } from '../../../src/api/contract/routes.ts'

export type GraphAnswer = RouteAnswer<'getGraph'>
export type GraphNode = GraphAnswer['nodes'][number]
export type GraphEdge = GraphAnswer['edges'][number]
export type Group = GraphAnswer['group']

export interface GraphModel {
  group: Group
  version: string
  nodes: Map<string, GraphNode>
  /** By edgeKey. */
  edges: Map<string, GraphEdge>
  waiting: Map<string, GraphEdge>
  totalNodes: number
  /** On the server; those beyond what can be drawn were not asked for. */
  totalEdges: number
  isComplete: boolean
}

export interface Growth {
  added: GraphNode[]
  changed: GraphNode[]
  addedEdges: GraphEdge[]
}

export function edgeKey(edge: { from: string; to: string }): string {
  return `${edge.from}>${edge.to}`
}

export function startModel(answer: GraphAnswer): GraphModel {
  const model: GraphModel = {
    group: answer.group,
    version: answer.version,
    nodes: new Map(),
    edges: new Map(),
    waiting: new Map(),
    totalNodes: 0,
    totalEdges: 0,
    isComplete: false,
  }
  growModel(model, answer)
  return model
}

/** Changes the model, and tells how. */
export function growModel(model: GraphModel, answer: GraphAnswer): Growth {
  const growth: Growth = { added: [], changed: [], addedEdges: [] }
  for (const node of answer.nodes) {
    const known = model.nodes.get(node.id)
    model.nodes.set(node.id, node)
    if (known === undefined) growth.added.push(node)
    else if (isDifferent(known, node)) growth.changed.push(node)
  }
  for (const edge of answer.edges) model.waiting.set(edgeKey(edge), edge)
  for (const [key, edge] of model.waiting) {
    if (!model.nodes.has(edge.from) || !model.nodes.has(edge.to)) continue
    model.waiting.delete(key)
    if (edge.from === edge.to) continue
    if (!model.edges.has(key)) growth.addedEdges.push(edge)
    model.edges.set(key, edge)
  }
  model.version = answer.version
  model.totalNodes = answer.total_nodes
  model.totalEdges = answer.total_edges
  model.isComplete = answer.is_complete
  return growth
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
export function neighboursOf(edges: Iterable<{ from: string; to: string }>, id: string): Set<string> {
  const found = new Set<string>()
  for (const { from, to } of edges) {
    if (from === id) found.add(to)
    else if (to === id) found.add(from)
  }
  return found
}
