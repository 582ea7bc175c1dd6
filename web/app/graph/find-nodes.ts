import type { GraphModel, GraphNode } from './graph-model.ts'

/** Nodes whose label contains all words, best linked first. */
export function findNodes(model: GraphModel, text: string, limit: number): GraphNode[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found: GraphNode[] = []
  for (const node of model.nodes.values()) {
    const label = node.label.toLowerCase()
    if (words.every((word) => label.includes(word))) found.push(node)
  }
  return found.sort((a, b) => b.rank - a.rank || b.urls - a.urls || (a.label < b.label ? -1 : 1)).slice(0, limit)
}
