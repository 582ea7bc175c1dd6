// The size of a node in px at the default zoom. Its area is proportional to the value it shows.

import type { GraphNode } from './graph-model.ts'

const MIN_SIZE = 2.5
const MAX_SIZES = { url: 11, group: 20 } as const
/** Growth of a group with the square root of its URLs, so small groups are never drawn large. */
const GROUP_STEP = 2

/** URLs are sized by link rank, groups by their number of URLs. */
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
