// Computes the link ranks of a crawl whenever it has grown by half, and when it has ended.

import type { CrawlProgress } from '../../ports/crawls.ts'
import type { IndexFeed, LinkRank } from '../../ports/search.ts'
import type { Urls } from '../../ports/urls.ts'
import { computePageRank, scaleRanks } from '../rank/page-rank.ts'

export interface LinkRankDependencies {
  feed: Pick<IndexFeed, 'saveRanks' | 'visitedWhenRanked' | 'recordRanking'>
  urls: Pick<Urls, 'edges'>
  /** Yields to the event loop. Resolves to false if the computation must stop. */
  yieldTurn: () => Promise<boolean>
}

/** Ranks are recomputed after the number of visited URLs has grown by this factor. */
const GROWTH = 1.5
const MIN_VISITED = 100
/** 8 bytes each. A larger crawl is ranked by its first links. */
const MAX_LINKS = 20_000_000
const SAVED_AT_ONCE = 2000
const LINKS_AT_ONCE = 20_000

export async function isRankDue(
  { crawl, ledger }: CrawlProgress,
  feed: LinkRankDependencies['feed'],
): Promise<boolean> {
  const { visited } = ledger
  if (visited === 0) return false
  const before = await feed.visitedWhenRanked(crawl.id)
  if (before === visited) return false
  return crawl.finishedAt !== null || (visited >= MIN_VISITED && visited >= before * GROWTH)
}

/** Returns whether it ran to completion. */
export async function computeLinkRanks(
  { crawl, ledger }: CrawlProgress,
  dependencies: LinkRankDependencies,
): Promise<boolean> {
  const graph = await readGraph(crawl.id, dependencies)
  if (graph === null) return false
  let isOver = false
  const ranks = await computePageRank(graph, async () => {
    isOver ||= !(await dependencies.yieldTurn())
  })
  if (isOver) return false
  const scaled = scaleRanks(ranks)
  for (let start = 0; start < graph.nodes; start += SAVED_AT_ONCE) {
    const chunk: LinkRank[] = []
    for (let node = start; node < Math.min(graph.nodes, start + SAVED_AT_ONCE); node++) {
      chunk.push({
        urlId: graph.urlIds[node] ?? 0,
        linkRank: scaled[node] ?? 0,
        inlinks: graph.inlinkCounts[node] ?? 0,
      })
    }
    await dependencies.feed.saveRanks(crawl.id, chunk)
    if (!(await dependencies.yieldTurn())) return false
  }
  await dependencies.feed.recordRanking(crawl.id, ledger.visited)
  return true
}

interface CrawlLinkGraph {
  nodes: number
  links: Int32Array
  urlIds: number[]
  /** Incoming links, by node. */
  inlinkCounts: number[]
}

async function readGraph(crawlId: string, { urls, yieldTurn }: LinkRankDependencies): Promise<CrawlLinkGraph | null> {
  const nodeOf = new Map<number, number>()
  const urlIds: number[] = []
  const incoming: number[] = []
  let links = new Int32Array(1 << 12)
  let length = 0
  const node = (urlId: number) => {
    let at = nodeOf.get(urlId)
    if (at === undefined) {
      at = urlIds.length
      nodeOf.set(urlId, at)
      urlIds.push(urlId)
      incoming.push(0)
    }
    return at
  }
  for await (const { from, to } of urls.edges(crawlId)) {
    if (length === 2 * MAX_LINKS) break
    if (from === to) continue
    if (length === links.length) links = growLinks(links)
    const target = node(to)
    links[length++] = node(from)
    links[length++] = target
    incoming[target] = (incoming[target] ?? 0) + 1
    if (length % LINKS_AT_ONCE === 0 && !(await yieldTurn())) return null
  }
  return { nodes: urlIds.length, links: links.subarray(0, length), urlIds, inlinkCounts: incoming }
}

function growLinks(links: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(links.length * 2)
  copy.set(links)
  return copy
}
