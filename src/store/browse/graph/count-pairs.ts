// Counts the links from each group to each other group in a table of all pairs; there are a few thousand groups at
// most. URLs without a group are counted as one additional group.

import type { GraphEdges } from '../../../ports/browse.ts'
import type { TreeLinks } from '../paths/tree-links.ts'
import { bestPositions } from './best-positions.ts'

export interface PairCounts {
  /** Links between different groups, and to and from URLs that are in none. */
  links: number
  /** Number of links to each group. */
  inlinks: Uint32Array
  /** Pairs of groups with links. */
  pairs: number
  /** Edges with the most links, most first. */
  edges: Omit<GraphEdges, 'ids'>
}

/** `groupOf` has the group of each URL by position; a URL in no group has the number of groups. */
export function countPairs(
  { starts, targets }: TreeLinks,
  groupOf: Uint16Array,
  { groups, maxPairs }: { groups: number; maxPairs: number },
): PairCounts {
  const width = groups + 1
  const table = new Uint32Array(width * width)
  for (let position = 0; position < groupOf.length; position++) {
    const row = (groupOf[position] ?? 0) * width
    const end = starts[position + 1] ?? 0
    for (let at = starts[position] ?? 0; at < end; at++) {
      const pair = row + (groupOf[targets[at] ?? 0] ?? 0)
      table[pair] = (table[pair] ?? 0) + 1
    }
  }
  const inlinks = new Uint32Array(groups)
  const linked: number[] = []
  let links = 0
  for (let from = 0; from < width; from++) {
    for (let to = 0; to < width; to++) {
      const count = table[from * width + to] ?? 0
      if (count === 0 || from === to) continue
      links += count
      if (to === groups) continue
      inlinks[to] = (inlinks[to] ?? 0) + count
      if (from !== groups) linked.push(from * width + to)
    }
  }
  const linksOf = (pair: number) => table[pair] ?? 0
  const chosen = bestPositions(new Uint32Array(linked.map(linksOf)), maxPairs).map((i) => linked[i] ?? 0)
  const best = new Uint32Array(chosen.sort((a, b) => linksOf(b) - linksOf(a)))
  const edges = {
    from: best.map((pair) => Math.floor(pair / width)),
    to: best.map((pair) => pair % width),
    links: best.map(linksOf),
  }
  return { links, inlinks, pairs: linked.length, edges }
}
