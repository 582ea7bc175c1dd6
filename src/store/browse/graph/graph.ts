// The link graph of a crawl: URLs, or groups of them. The number of URLs examined is bounded, and the result says so.

import { AppError } from '../../../lib/errors.ts'
import { ledgerTotal } from '../../../lib/states.ts'
import type { CrawlGraph, GraphRequest } from '../../../ports/browse.ts'
import type { BrowseDb } from '../browse-db.ts'
import { findNeighbours } from '../neighbours.ts'
import type { CrawlTree, PathTreeCache } from '../paths/path-tree-cache.ts'
import { bestPositions } from './best-positions.ts'
import { type GraphUrls, loadFirstUrls, loadUrls } from './graph-urls.ts'
import { formatGraphVersion, type GraphVersion, parseGraphVersion, toGraphVersion } from './graph-version.ts'
import { buildGroupGraph } from './group-graph.ts'
import { type BuiltGraph, buildUrlGraph } from './url-graph.ts'

/** Links counted between URLs. */
const MAX_GRAPH_LINKS = 10_000_000

export async function readGraph(
  db: BrowseDb,
  trees: PathTreeCache,
  crawlId: string,
  request: GraphRequest,
): Promise<CrawlGraph> {
  const crawl = await db.crawl(crawlId)
  if (request.around !== null) return readNeighbourhood(db, crawl.rowId, { ...request, around: request.around })
  const since = request.since === null ? null : parseGraphVersion(request)
  const isFirst = request.group === 'url' && request.by === 'found' && request.under === null
  if (isFirst) return readFirstUrls(db, crawl.rowId, { ...request, since, total: ledgerTotal(crawl.ledger) })
  const crawlTree = await trees.get(crawl)
  return request.group === 'url'
    ? readChosenUrls(db, crawl.rowId, crawlTree, request)
    : readGroups(db, crawl.rowId, crawlTree, request)
}

/** The first URLs that the crawl discovered; with `since`, only the changed ones among them. */
async function readFirstUrls(
  db: BrowseDb,
  crawl: number,
  {
    limit,
    maxEdges,
    since,
    total,
  }: Pick<GraphRequest, 'limit' | 'maxEdges'> & { since: GraphVersion | null; total: number },
): Promise<CrawlGraph> {
  const graphUrls = await loadFirstUrls(db, crawl, limit)
  const built = await buildUrlGraph(db, graphUrls, { crawl, maxLinks: MAX_GRAPH_LINKS, maxEdges, since })
  const isComplete = !graphUrls.isCut && built.isComplete
  return { ...toCrawlGraph('url', graphUrls, built), totalNodes: total, isComplete }
}

/** URLs of a group or of the whole crawl: those with the most inlinks, or the first ones. */
async function readChosenUrls(
  db: BrowseDb,
  crawl: number,
  crawlTree: CrawlTree,
  { under, by, limit, maxEdges }: GraphRequest,
): Promise<CrawlGraph> {
  const { tree } = crawlTree
  const { inlinks, targets, isWhole } = await crawlTree.links()
  const part = under === null ? null : tree.find(under)
  // Null selects all URLs.
  const positions = under === null ? null : part === null ? [] : tree.positions(part)
  const inlinksAt = (position: number) => inlinks[position] ?? 0
  const worths = positions === null ? inlinks : Uint32Array.from(positions, inlinksAt)
  const total = worths.length
  const best =
    by === 'rank' ? bestPositions(worths, limit) : Array.from({ length: Math.min(total, limit) }, (_, i) => i)
  const chosen = positions === null ? best : best.map((i) => positions[i] ?? 0)
  const inlinksOf = new Map(chosen.map((position) => [tree.urls.ids[position] ?? 0, inlinksAt(position)]))
  const graphUrls = await loadUrls(db, crawl, [...inlinksOf.keys()])
  const built = await buildUrlGraph(db, graphUrls, { crawl, maxLinks: MAX_GRAPH_LINKS, maxEdges, since: null })
  for (const node of built.nodes) {
    node.inlinks = inlinksOf.get(node.urlId ?? 0) ?? 0
    node.rank = targets.length === 0 ? 0 : node.inlinks / targets.length
  }
  const isComplete = built.isComplete && isWhole && tree.isWhole && total <= limit
  return { ...toCrawlGraph('url', graphUrls, built), totalNodes: total, isComplete }
}

async function readGroups(
  db: BrowseDb,
  crawl: number,
  crawlTree: CrawlTree,
  request: GraphRequest,
): Promise<CrawlGraph> {
  const built = buildGroupGraph(crawlTree.tree, await crawlTree.links(), {
    ...request,
    isByHost: request.group === 'host',
  })
  const urls = await loadUrls(
    db,
    crawl,
    built.nodes.flatMap(({ urlId }) => urlId ?? []),
  )
  const textOf = new Map(urls.urls.map(({ id, url }) => [id, url]))
  for (const node of built.nodes) if (node.urlId !== null) node.label = textOf.get(node.urlId) ?? ''
  const isComplete = built.isComplete && crawlTree.tree.isWhole
  return { ...toCrawlGraph(request.group, urls, built), totalNodes: built.totalNodes, isComplete }
}

async function readNeighbourhood(
  db: BrowseDb,
  crawl: number,
  { around: urlId, limit, maxEdges }: GraphRequest & { around: number },
): Promise<CrawlGraph> {
  const around = await findNeighbours(db, crawl, urlId)
  if (around === null) throw new AppError('URL_NOT_FOUND', `The crawl has no URL with the id ${urlId}.`)
  const others = [...new Set([...around.to, ...around.from])]
  const graphUrls: GraphUrls = await loadUrls(db, crawl, [urlId, ...others.slice(0, limit - 1)])
  const built = await buildUrlGraph(db, graphUrls, { crawl, maxLinks: MAX_GRAPH_LINKS, maxEdges, since: null })
  const isComplete = built.isComplete && others.length < limit && !around.isCut
  return { ...toCrawlGraph('url', graphUrls, built), totalNodes: others.length + 1, isComplete }
}

function toCrawlGraph(group: GraphRequest['group'], { urls }: GraphUrls, { nodes, edges, totalEdges }: BuiltGraph) {
  return { group, version: formatGraphVersion(toGraphVersion(urls)), nodes, edges, totalEdges }
}
