// A graph of URLs.

import type { CrawlGraph, GraphEdges, GraphNode } from '../../../ports/browse.ts'
import type { BrowseDb } from '../browse-db.ts'
import { bestPositions } from './best-positions.ts'
import { forEachLink, type GraphUrls } from './graph-urls.ts'
import { changedSince, type GraphVersion } from './graph-version.ts'

export interface BuiltGraph extends Pick<CrawlGraph, 'nodes' | 'edges' | 'totalNodes' | 'totalEdges'> {
  isComplete: boolean
}

interface UrlGraphRequest {
  crawl: number
  maxLinks: number
  maxEdges: number
  since: GraphVersion | null
}

export async function buildUrlGraph(
  db: BrowseDb,
  graphUrls: GraphUrls,
  { since, ...scope }: UrlGraphRequest,
): Promise<BuiltGraph> {
  const { urls } = graphUrls
  const inlinks = new Uint32Array(urls.length)
  let links = 0
  const isShown = urls.map(since === null ? () => true : changedSince(since, urls))
  const [starts, ends]: [number[], number[]] = [[], []]
  let drawable = 0
  const isWhole = await forEachLink(db, graphUrls, scope, (from, to) => {
    links += 1
    inlinks[to] = (inlinks[to] ?? 0) + 1
    if (!isShown[from]) return
    drawable += 1
    if (scope.maxEdges === 0) return
    starts.push(from)
    ends.push(to)
  })
  const isKnown = new Set(urls.map(({ id }) => id))
  const nodes = urls.flatMap((url, i): GraphNode[] => {
    if (!isShown[i]) return []
    return [
      {
        id: String(url.id),
        label: url.url,
        urlId: url.id,
        host: graphUrls.hosts.get(url.hostId) ?? '',
        state: url.state,
        states: null,
        leftOut: url.isLeftOut ? 1 : 0,
        depth: url.depth,
        urls: 1,
        inlinks: inlinks[i] ?? 0,
        rank: links === 0 ? 0 : (inlinks[i] ?? 0) / links,
        parent: url.parent !== null && isKnown.has(url.parent) ? String(url.parent) : null,
      },
    ]
  })
  // If there are too many edges, those with the best linked ends are returned.
  const worths = Uint32Array.from(starts, (from, i) => Math.min(inlinks[from] ?? 0, inlinks[ends[i] ?? 0] ?? 0))
  const edges = toEdges(graphUrls, starts, ends, bestPositions(worths, scope.maxEdges))
  const totalEdges = since === null ? drawable : links
  return { nodes, edges, totalNodes: urls.length, totalEdges, isComplete: isWhole && drawable <= scope.maxEdges }
}

/** Returns only the ids of URLs with an edge: among the changes of a large graph, they are few. */
function toEdges({ urls }: GraphUrls, starts: number[], ends: number[], chosen: number[]): GraphEdges {
  const placeOf = new Map<number, number>()
  const place = (position = 0) => {
    const known = placeOf.get(position) ?? placeOf.size
    placeOf.set(position, known)
    return known
  }
  const from = Uint32Array.from(chosen, (i) => place(starts[i]))
  const to = Uint32Array.from(chosen, (i) => place(ends[i]))
  const ids = Array.from(placeOf.keys(), (position) => String(urls[position]?.id ?? 0))
  return { ids, from, to, links: new Uint32Array(chosen.length).fill(1) }
}
