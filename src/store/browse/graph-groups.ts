// A graph whose nodes are groups of urls: hosts, or hosts with as many segments of paths as stay under the limit.

import type { GraphAnswer, GraphNode } from '../../ports/browse.ts'
import type { UrlState } from '../../ports/state.ts'
import type { BrowseDb } from './db.ts'
import type { Drawn, Scope } from './graph-urls.ts'
import { eachLink, type Look } from './look.ts'
import { PairCounts } from './pair-counts.ts'
import { labelOf } from './path-group.ts'

const MAX_DEPTH = 8

interface Grouping {
  labels: string[]
  /** The group of each url, by position. */
  of: Uint32Array
}

export async function drawGroups(db: BrowseDb, look: Look, scope: Scope & { group: 'path' | 'host' }): Promise<Drawn> {
  const { labels, of } = group(look, scope.group === 'host' ? 0 : MAX_DEPTH, scope.limit)
  const counts = new PairCounts(labels.length)
  const inlinks = new Uint32Array(labels.length)
  let links = 0
  const everywhere = { ...scope, from: () => true }
  const isWhole = await eachLink(db, look, everywhere, (fromUrl, toUrl) => {
    const [from, to] = [of[fromUrl] ?? 0, of[toUrl] ?? 0]
    if (from === to) return
    counts.add(from, to)
    inlinks[to] = (inlinks[to] ?? 0) + 1
    links += 1
  })
  const nodes = nodesOf(look, labels, of)
  nodes.forEach((node, i) => {
    node.inlinks = inlinks[i] ?? 0
    node.rank = links === 0 ? 0 : node.inlinks / links
  })
  const shown = busiest(nodes, scope.limit)
  const edges = edgesOf(counts, labels, new Set(shown.map(({ id }) => id)))
  const isComplete = isWhole && shown.length === nodes.length && edges.length <= scope.maxEdges
  const told = edges.slice(0, scope.maxEdges)
  return { nodes: shown, edges: told, totalNodes: nodes.length, totalEdges: edges.length, isComplete }
}

/** As deep as the number of groups allows; hosts are what there is when even they are too many. */
function group(look: Look, maxDepth: number, limit: number): Grouping {
  let chosen = groupAt(look, 0)
  for (let depth = 1; depth <= maxDepth; depth++) {
    const deeper = groupAt(look, depth)
    if (deeper.labels.length > limit || deeper.labels.length === look.urls.length) {
      return deeper.labels.length > limit ? chosen : deeper
    }
    chosen = deeper
  }
  return chosen
}

function groupAt({ urls, hosts }: Look, depth: number): Grouping {
  const numbers = new Map<string, number>()
  const of = new Uint32Array(urls.length)
  urls.forEach(({ hostId, url }, i) => {
    const label = labelOf(hosts.get(hostId) ?? '', url, depth)
    const number = numbers.get(label) ?? numbers.size
    numbers.set(label, number)
    of[i] = number
  })
  return { labels: [...numbers.keys()], of }
}

function nodesOf({ urls, hosts }: Look, labels: string[], of: Uint32Array): GraphNode[] {
  const nodes: GraphNode[] = []
  const groupOfId = new Map(urls.map(({ id }, i) => [id, of[i]]))
  urls.forEach((url, i) => {
    const number = of[i] ?? 0
    const known = nodes[number]
    if (known !== undefined) {
      known.urls += 1
      countState(known, url.state)
      known.depth = Math.min(known.depth, url.depth)
      return
    }
    const parent = url.parent === null ? undefined : groupOfId.get(url.parent)
    const label = labels[number] ?? ''
    nodes[number] = {
      ...{ id: label, label, urlId: null, host: hosts.get(url.hostId) ?? '', state: null, states: { [url.state]: 1 } },
      ...{
        depth: url.depth,
        urls: 1,
        inlinks: 0,
        rank: 0,
        parent: parent === undefined || parent === number ? null : (labels[parent] ?? null),
      },
    }
  })
  return nodes
}

function countState({ states }: GraphNode, state: UrlState): void {
  if (states !== null) states[state] = (states[state] ?? 0) + 1
}

function busiest(nodes: GraphNode[], limit: number): GraphNode[] {
  if (nodes.length <= limit) return nodes
  const shown = nodes.toSorted((a, b) => b.urls - a.urls).slice(0, limit)
  const ids = new Set(shown.map(({ id }) => id))
  return shown.map((node) => (node.parent !== null && !ids.has(node.parent) ? { ...node, parent: null } : node))
}

/** Those with the most links first. */
function edgesOf(counts: PairCounts, labels: string[], shown: Set<string>): GraphAnswer['edges'] {
  const name = (number: number) => labels[number] ?? ''
  const edges = Array.from(counts.entries(), ({ from, to, links }) => ({ from: name(from), to: name(to), links }))
  return edges.filter(({ from, to }) => shown.has(from) && shown.has(to)).sort((a, b) => b.links - a.links)
}
