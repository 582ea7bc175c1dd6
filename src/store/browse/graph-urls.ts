// A graph whose nodes are urls.

import type { GraphAnswer, GraphNode, GraphRequest } from '../../ports/browse.ts'
import type { BrowseDb } from './db.ts'
import { eachLink, type Look } from './look.ts'
import { changedSince, type Version } from './version.ts'

/** Edges of an answer: beyond that nobody can draw them. */
export const MAX_EDGES = 200_000

export interface Scope {
  crawl: number
  maxLinks: number
  limit: number
}

export interface Drawn extends Pick<GraphAnswer, 'nodes' | 'edges' | 'totalNodes'> {
  isComplete: boolean
}

export async function drawUrls(
  db: BrowseDb,
  look: Look,
  scope: Scope & Pick<GraphRequest, 'by'> & { since: Version | null },
): Promise<Drawn> {
  const { urls } = look
  const inlinks = new Uint32Array(urls.length)
  let links = 0
  const isByRank = scope.by === 'rank'
  const edges: GraphAnswer['edges'] = []
  const isChanged = scope.since === null ? () => true : changedSince(scope.since, urls)
  const isShown = urls.map(isChanged)
  const draw = (from: number, to: number) => {
    if (isShown[from] && edges.length <= MAX_EDGES) edges.push({ from: idOf(look, from), to: idOf(look, to), links: 1 })
  }
  const everywhere = { ...scope, from: () => true }
  const isWhole = await eachLink(db, look, everywhere, (from, to) => {
    links += 1
    inlinks[to] = (inlinks[to] ?? 0) + 1
    if (!isByRank) draw(from, to)
  })
  if (isByRank) {
    const chosen = mostLinked(inlinks, scope.limit)
    for (const position of isShown.keys()) isShown[position] = chosen.has(position)
    const fromChosen = { ...scope, from: (position: number) => chosen.has(position) }
    await eachLink(db, look, fromChosen, (from, to) => (chosen.has(to) ? draw(from, to) : undefined))
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
        host: look.hosts.get(url.hostId) ?? '',
        state: url.state,
        depth: url.depth,
        urls: 1,
        inlinks: inlinks[i] ?? 0,
        rank: links === 0 ? 0 : (inlinks[i] ?? 0) / links,
        parent: hasParent ? String(url.parent) : null,
      },
    ]
  })
  const isComplete = isWhole && edges.length <= MAX_EDGES && (!isByRank || urls.length <= scope.limit)
  return { nodes, edges: edges.slice(0, MAX_EDGES), totalNodes: urls.length, isComplete }
}

function idOf(look: Look, position: number): string {
  return String(look.urls[position]?.id ?? 0)
}

/** Of those with as many links, the ones found first. */
function mostLinked(inlinks: Uint32Array, limit: number): Set<number> {
  const positions = Array.from(inlinks.keys())
  return new Set(positions.sort((a, b) => (inlinks[b] ?? 0) - (inlinks[a] ?? 0) || a - b).slice(0, limit))
}
