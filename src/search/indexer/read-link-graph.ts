// Reads the links of a crawl into memory.

import type { Edge } from '../../ports/urls.ts'
import type { LinkGraph } from '../rank/page-rank.ts'

export interface CrawlLinkGraph extends LinkGraph {
  /** Node numbers by URL id. */
  nodeOf: ReadonlyMap<number, number>
  /** Numbers of links, by node. */
  inlinks: readonly number[]
  outlinks: readonly number[]
}

/** 8 bytes each. A larger crawl is ranked by its first links. */
const MAX_LINKS = 20_000_000
const LINKS_AT_ONCE = 20_000

/** Null if `yieldTurn` resolves to false, which stops the computation. */
export async function readLinkGraph(
  edges: AsyncIterable<Edge>,
  yieldTurn: () => Promise<boolean>,
): Promise<CrawlLinkGraph | null> {
  const nodeOf = new Map<number, number>()
  const inlinks: number[] = []
  const outlinks: number[] = []
  let links = new Int32Array(1 << 12)
  let length = 0
  const nodeFor = (urlId: number) => {
    let node = nodeOf.get(urlId)
    if (node === undefined) {
      node = nodeOf.size
      nodeOf.set(urlId, node)
      inlinks.push(0)
      outlinks.push(0)
    }
    return node
  }
  for await (const { from, to } of edges) {
    if (length === 2 * MAX_LINKS) break
    if (from === to) continue
    if (length === links.length) links = growLinks(links)
    const [source, target] = [nodeFor(from), nodeFor(to)]
    links[length++] = source
    links[length++] = target
    outlinks[source] = (outlinks[source] ?? 0) + 1
    inlinks[target] = (inlinks[target] ?? 0) + 1
    if (length % LINKS_AT_ONCE === 0 && !(await yieldTurn())) return null
  }
  return { nodes: nodeOf.size, links: links.subarray(0, length), nodeOf, inlinks, outlinks }
}

function growLinks(links: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(links.length * 2)
  copy.set(links)
  return copy
}
