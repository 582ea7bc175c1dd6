// How large a node is drawn, in px at the usual zoom. The area follows the figure, so that twice as much looks so.

import type { GraphNode } from './graph-model.ts'

const MIN_SIZE = 2.5
const MAX_SIZES = { url: 11, group: 20 } as const
/** Of a group, as the root of its urls: where all are small, none is drawn large. */
const GROUP_STEP = 2

/** Of urls the link rank; of groups how many urls they hold. */
export function makeSizeScale(nodes: Iterable<GraphNode>): (node: GraphNode) => number {
  let maxRank = 0
  let maxUrls = 1
  for (const node of nodes) {
    maxRank = Math.max(maxRank, node.rank)
    maxUrls = Math.max(maxUrls, node.urls)
  }
  const largestGroup = Math.min(MAX_SIZES.group, MIN_SIZE + GROUP_STEP * Math.sqrt(maxUrls))
  return (node) => {
    if (node.url_id === null) return MIN_SIZE + (largestGroup - MIN_SIZE) * Math.sqrt(node.urls / maxUrls)
    return MIN_SIZE + (MAX_SIZES.url - MIN_SIZE) * (maxRank === 0 ? 0 : Math.sqrt(node.rank / maxRank))
  }
}
