import type { GraphEdge, GraphNode, GraphResponse } from '../graph-model.ts'

export function makeNode(id: string, more: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    label: `http://site.test/${id}`,
    url_id: Number(id),
    host: 'site.test',
    state: 'visited',
    states: null,
    left_out: 0,
    depth: 1,
    urls: 1,
    inlinks: 1,
    rank: 0.1,
    parent: null,
    ...more,
  }
}

export function makeEdge(from: string, to: string, links = 1): GraphEdge {
  return { from, to, links }
}

export function makeGraphResponse(
  nodes: GraphNode[],
  edges: GraphEdge[] = [],
  more: Partial<GraphResponse> = {},
): GraphResponse {
  return {
    crawl_id: 'c1',
    group: 'url',
    version: 'v1',
    nodes,
    edges,
    total_nodes: nodes.length,
    total_edges: edges.length,
    is_complete: true,
    ...more,
  }
}
