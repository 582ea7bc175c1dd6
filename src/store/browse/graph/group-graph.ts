// A graph of URL groups: hosts, or hosts with as many path segments as leave groups of a useful size.

import type { UrlState } from '../../../lib/states.ts'
import type { GraphNode } from '../../../ports/browse.ts'
import type { BrowseDb } from '../browse-db.ts'
import { forEachLink, type GraphUrls } from './graph-urls.ts'
import { PairCounts } from './pair-counts.ts'
import { pathGroupLabel } from './path-group.ts'
import type { BuiltGraph, GraphLimits } from './url-graph.ts'

const MAX_DEPTH = 8
/** Average URLs per group. Smaller groups show no more than the URLs themselves. */
const MIN_URLS_PER_GROUP = 4
/** The same when a single group is split, since one group shows nothing at all. */
const MIN_URLS_PER_FIRST_GROUP = 2
const NOT_SHOWN = -1

interface Grouping {
  labels: string[]
  /** The group of each URL, by position. */
  of: Uint32Array
}

export async function buildGroupGraph(
  db: BrowseDb,
  graphUrls: GraphUrls,
  scope: GraphLimits & { group: 'path' | 'host' },
): Promise<BuiltGraph> {
  const grouping = chooseGrouping(graphUrls, scope.group === 'host' ? 0 : MAX_DEPTH, scope.limit)
  const { labels, of } = grouping
  // Links are counted only between returned groups, so that memory does not grow with all pairs.
  const shown = largestGroups(grouping, scope.limit)
  const placeOf = new Int32Array(labels.length).fill(NOT_SHOWN)
  shown.forEach((number, place) => {
    placeOf[number] = place
  })
  const counts = new PairCounts(shown.length)
  const inlinks = new Uint32Array(shown.length)
  let links = 0
  const everywhere = { ...scope, from: () => true }
  const isWhole = await forEachLink(db, graphUrls, everywhere, (fromUrl, toUrl) => {
    const [fromGroup, toGroup] = [of[fromUrl] ?? 0, of[toUrl] ?? 0]
    if (fromGroup === toGroup) return
    links += 1
    const [from, to] = [placeOf[fromGroup] ?? NOT_SHOWN, placeOf[toGroup] ?? NOT_SHOWN]
    if (to === NOT_SHOWN) return
    inlinks[to] = (inlinks[to] ?? 0) + 1
    if (from !== NOT_SHOWN) counts.add(from, to)
  })
  const nodes = buildGroupNodes(graphUrls, grouping, placeOf)
  nodes.forEach((node, place) => {
    node.inlinks = inlinks[place] ?? 0
    node.rank = links === 0 ? 0 : node.inlinks / links
  })
  const { pairs, total } = counts.mostLinked(scope.maxEdges)
  const idAt = (place: number) => nodes[place]?.id ?? ''
  const edges = pairs.map(({ from, to, links }) => ({ from: idAt(from), to: idAt(to), links }))
  const isComplete = isWhole && shown.length === labels.length && total <= scope.maxEdges
  return { nodes, edges, totalNodes: labels.length, totalEdges: total, isComplete }
}

/** As deep as the groups stay few enough, or hosts if even those are too many. */
function chooseGrouping(graphUrls: GraphUrls, maxDepth: number, limit: number): Grouping {
  let chosen = groupByDepth(graphUrls, 0, graphUrls.urls.length)
  for (let depth = 1; depth <= maxDepth; depth++) {
    const leastUrls = chosen.labels.length === 1 ? MIN_URLS_PER_FIRST_GROUP : MIN_URLS_PER_GROUP
    const most = Math.min(limit, Math.floor(graphUrls.urls.length / leastUrls))
    const deeper = groupByDepth(graphUrls, depth, most)
    if (deeper.labels.length > most) return chosen
    chosen = deeper
  }
  return chosen
}

/** Stops at one group too many. */
function groupByDepth({ urls, hosts }: GraphUrls, depth: number, most: number): Grouping {
  const numbers = new Map<string, number>()
  const of = new Uint32Array(urls.length)
  for (const [i, { hostId, url }] of urls.entries()) {
    const label = pathGroupLabel(hosts.get(hostId) ?? '', url, depth)
    const number = numbers.get(label) ?? numbers.size
    numbers.set(label, number)
    if (numbers.size > most) break
    of[i] = number
  }
  return { labels: [...numbers.keys()], of }
}

/** The groups with the most URLs, in order of discovery. */
function largestGroups({ labels, of }: Grouping, limit: number): number[] {
  const numbers = Array.from(labels.keys())
  if (labels.length <= limit) return numbers
  const urls = new Uint32Array(labels.length)
  for (const number of of) urls[number] = (urls[number] ?? 0) + 1
  const most = numbers.sort((a, b) => (urls[b] ?? 0) - (urls[a] ?? 0)).slice(0, limit)
  return most.sort((a, b) => a - b)
}

function buildGroupNodes({ urls, hosts }: GraphUrls, { labels, of }: Grouping, placeOf: Int32Array): GraphNode[] {
  const nodes: GraphNode[] = []
  const groupOfId = new Map(urls.map(({ id }, i) => [id, of[i] ?? 0]))
  urls.forEach((url, i) => {
    const number = of[i] ?? 0
    const place = placeOf[number] ?? NOT_SHOWN
    if (place === NOT_SHOWN) return
    const known = nodes[place]
    if (known !== undefined) {
      known.urls += 1
      countState(known, url.state)
      known.depth = Math.min(known.depth, url.depth)
      return
    }
    const parent = url.parent === null ? number : (groupOfId.get(url.parent) ?? number)
    const hasParent = parent !== number && placeOf[parent] !== NOT_SHOWN
    const label = labels[number] ?? ''
    nodes[place] = {
      id: label,
      label,
      urlId: null,
      host: hosts.get(url.hostId) ?? '',
      state: null,
      states: { [url.state]: 1 },
      depth: url.depth,
      urls: 1,
      inlinks: 0,
      rank: 0,
      parent: hasParent ? (labels[parent] ?? null) : null,
    }
  })
  return nodes
}

function countState({ states }: GraphNode, state: UrlState): void {
  if (states !== null) states[state] = (states[state] ?? 0) + 1
}
