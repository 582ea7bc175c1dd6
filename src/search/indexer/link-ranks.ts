// Computes the link ranks of a crawl whenever it has grown by half, and when it has ended or watches.

import type { CrawlProgress } from '../../ports/crawls.ts'
import type { IndexFeed } from '../../ports/index-feed.ts'
import { isRecrawled, type Revisits } from '../../ports/revisits.ts'
import type { LinkRank } from '../../ports/search.ts'
import type { Urls } from '../../ports/urls.ts'
import { HostGraphs } from '../rank/host-graphs.ts'
import { computePageRank, scaleRanks } from '../rank/page-rank.ts'
import { hostOf } from '../url-parts.ts'
import { type CrawlLinkGraph, readLinkGraph } from './read-link-graph.ts'

export interface LinkRankDependencies {
  feed: Pick<IndexFeed, 'saveRanks' | 'visitedWhenRanked' | 'recordRanking'>
  urls: Pick<Urls, 'edges' | 'rows'>
  /** Recrawled crawls weigh visits by rank. */
  revisits: Pick<Revisits, 'saveLinkRanks'>
  /** Yields to the event loop. Resolves to false if the computation must stop. */
  yieldTurn: () => Promise<boolean>
}

/** Ranks are recomputed after the number of visited URLs has grown by this factor. */
const GROWTH = 1.5
const MIN_VISITED = 100
/** Growth of a watching crawl: it does not end, and most of its visits are to known pages. */
const WATCHED_GROWTH = 1.05
const SAVED_AT_ONCE = 2000

export async function isRankDue(
  { crawl, ledger }: CrawlProgress,
  feed: LinkRankDependencies['feed'],
): Promise<boolean> {
  const { visited } = ledger
  if (visited === 0) return false
  const before = await feed.visitedWhenRanked(crawl.id)
  if (before === visited) return false
  if (crawl.status === 'watching' && visited >= before * WATCHED_GROWTH) return true
  return crawl.finishedAt !== null || (visited >= MIN_VISITED && visited >= before * GROWTH)
}

/** Returns whether it ran to completion. */
export async function computeLinkRanks(
  { crawl, ledger }: CrawlProgress,
  dependencies: LinkRankDependencies,
): Promise<boolean> {
  const { feed, urls, revisits, yieldTurn } = dependencies
  const graph = await readLinkGraph(urls.edges(crawl.id), yieldTurn)
  if (graph === null) return false
  let isOver = false
  const ranks = await computePageRank(graph, async () => {
    isOver ||= !(await yieldTurn())
  })
  if (isOver) return false
  const hosts = await readHostGraphs(crawl.id, graph, dependencies)
  if (hosts === null) return false
  const scaled = scaleRanks(ranks)
  const save = async (ranks: LinkRank[]) => {
    await feed.saveRanks(crawl, ranks)
    if (isRecrawled(crawl.settings)) await revisits.saveLinkRanks(crawl.id, ranks.map(toSavedRank))
  }
  let chunk: LinkRank[] = []
  for await (const { id: urlId, url } of urls.rows(crawl.id)) {
    const node = graph.nodeOf.get(urlId)
    if (node === undefined) continue
    const [inlinks, outlinks] = [graph.inlinks[node] ?? 0, graph.outlinks[node] ?? 0]
    chunk.push({ urlId, url, linkRank: scaled[node] ?? 0, inlinks, ...hosts.describe(hostOf(url), outlinks) })
    if (chunk.length < SAVED_AT_ONCE) continue
    await save(chunk)
    chunk = []
    if (!(await yieldTurn())) return false
  }
  if (chunk.length > 0) await save(chunk)
  if (!(await yieldTurn())) return false
  await feed.recordRanking(crawl.id, ledger.visited)
  return true
}

function toSavedRank({ urlId, linkRank }: LinkRank) {
  return { urlId, linkRank }
}

/** Null if the computation must stop. */
async function readHostGraphs(
  crawlId: string,
  { nodeOf, outlinks }: CrawlLinkGraph,
  { urls, yieldTurn }: LinkRankDependencies,
): Promise<HostGraphs | null> {
  const hosts = new HostGraphs()
  let read = 0
  for await (const { id, url, state } of urls.rows(crawlId)) {
    const node = nodeOf.get(id)
    if (node !== undefined && state === 'visited') hosts.add(hostOf(url), outlinks[node] ?? 0)
    read += 1
    if (read % SAVED_AT_ONCE === 0 && !(await yieldTurn())) return null
  }
  return hosts
}
