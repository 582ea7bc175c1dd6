// A graph of URLs.

import type { CrawlGraph, GraphNode, GraphRequest } from '../../../ports/browse.ts'
import type { BrowseDb } from '../browse-db.ts'
import { BestEdges } from './best-edges.ts'
import { forEachLink, type GraphUrls } from './graph-urls.ts'
import { changedSince, type GraphVersion } from './graph-version.ts'

export interface GraphLimits {
  crawl: number
  maxLinks: number
  limit: number
  maxEdges: number
}

export interface BuiltGraph extends Pick<CrawlGraph, 'nodes' | 'edges' | 'totalNodes' | 'totalEdges'> {
  isComplete: boolean
}

export async function buildUrlGraph(
  db: BrowseDb,
  graphUrls: GraphUrls,
  scope: GraphLimits & Pick<GraphRequest, 'by'> & { since: GraphVersion | null },
): Promise<BuiltGraph> {
  const { urls } = graphUrls
  const inlinks = new Uint32Array(urls.length)
  let links = 0
  const isByRank = scope.by === 'rank'
  const isChanged = scope.since === null ? () => true : changedSince(scope.since, urls)
  const isShown = urls.map(isChanged)
  const drawn = new BestEdges(scope.maxEdges, inlinks)
  const everywhere = { ...scope, from: () => true }
  const isWhole = await forEachLink(db, graphUrls, everywhere, (from, to) => {
    links += 1
    inlinks[to] = (inlinks[to] ?? 0) + 1
    if (!isByRank && isShown[from]) drawn.add(from, to)
  })
  if (isByRank) {
    const chosen = mostLinked(inlinks, scope.limit)
    for (const position of isShown.keys()) isShown[position] = chosen.has(position)
  }
  // Only now the best linked are known.
  if (isByRank || (drawn.isCut && scope.maxEdges > 0)) {
    drawn.clear()
    const fromShown = { ...scope, from: (position: number) => isShown[position] === true }
    await forEachLink(db, graphUrls, fromShown, (from, to) => {
      if (!isByRank || isShown[to]) drawn.add(from, to)
    })
  }
  const positionOf = new Map(urls.map(({ id }, i) => [id, i]))
  const isNode = (position: number | undefined) => position !== undefined && (!isByRank || isShown[position] === true)
  const nodes = urls.flatMap((url, i): GraphNode[] => {
    if (!isShown[i]) return []
    const hasParent = url.parent !== null && isNode(positionOf.get(url.parent))
    return [
      {
        id: String(url.id),
        label: url.url,
        urlId: url.id,
        host: graphUrls.hosts.get(url.hostId) ?? '',
        state: url.state,
        states: null,
        depth: url.depth,
        urls: 1,
        inlinks: inlinks[i] ?? 0,
        rank: links === 0 ? 0 : (inlinks[i] ?? 0) / links,
        parent: hasParent ? String(url.parent) : null,
      },
    ]
  })
  const edges = drawn
    .list()
    .map(([from, to]) => ({ from: nodeId(graphUrls, from), to: nodeId(graphUrls, to), links: 1 }))
  const totalEdges = scope.since === null ? drawn.added : links
  const isComplete = isWhole && !drawn.isCut && (!isByRank || urls.length <= scope.limit)
  return { nodes, edges, totalNodes: urls.length, totalEdges, isComplete }
}

function nodeId(graphUrls: GraphUrls, position: number): string {
  return String(graphUrls.urls[position]?.id ?? 0)
}

/** Of URLs with equally many links, those found first. */
function mostLinked(inlinks: Uint32Array, limit: number): Set<number> {
  const positions = Array.from(inlinks.keys())
  return new Set(positions.sort((a, b) => (inlinks[b] ?? 0) - (inlinks[a] ?? 0) || a - b).slice(0, limit))
}
