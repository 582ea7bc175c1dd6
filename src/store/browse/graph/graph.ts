// The link graph of a crawl: URLs, or groups of them. The number of URLs examined is bounded, and the result says so.

import { AppError } from '../../../lib/errors.ts'
import { ledgerTotal } from '../../../lib/states.ts'
import type { CrawlGraph, GraphRequest } from '../../../ports/browse.ts'
import type { BrowseDb } from '../browse-db.ts'
import { findNeighbours } from '../neighbours.ts'
import { type GraphUrls, loadFirstUrls, loadUrls } from './graph-urls.ts'
import { formatGraphVersion, parseGraphVersion, toGraphVersion } from './graph-version.ts'
import { buildGroupGraph } from './group-graph.ts'
import { buildUrlGraph } from './url-graph.ts'

/** URLs examined for groups and ranks. */
export const MAX_GRAPH_URLS = 250_000
/** Links counted between them. */
export const MAX_GRAPH_LINKS = 10_000_000

export async function readGraph(db: BrowseDb, crawlId: string, request: GraphRequest): Promise<CrawlGraph> {
  const { rowId, ledger } = await db.crawl(crawlId)
  const { limit, under } = request
  if (request.around !== null) return readNeighbourhood(db, rowId, { ...request, around: request.around })
  const since = request.since === null ? null : parseGraphVersion(request)
  const isFirst = request.group === 'url' && request.by === 'found'
  const graphUrls = await loadFirstUrls(db, rowId, {
    maxRows: MAX_GRAPH_URLS,
    maxUrls: isFirst ? limit : MAX_GRAPH_URLS,
    under,
  })
  const scope = { crawl: rowId, maxLinks: MAX_GRAPH_LINKS, limit, maxEdges: request.maxEdges }
  const builtGraph =
    request.group === 'url'
      ? await buildUrlGraph(db, graphUrls, { ...scope, by: request.by, since })
      : await buildGroupGraph(db, graphUrls, { ...scope, group: request.group })
  const isAll = under === null && request.group === 'url'
  return {
    group: request.group,
    version: formatGraphVersion(toGraphVersion(graphUrls.urls)),
    nodes: builtGraph.nodes,
    edges: builtGraph.edges,
    totalNodes: isAll ? ledgerTotal(ledger) : builtGraph.totalNodes,
    totalEdges: builtGraph.totalEdges,
    isComplete: !graphUrls.isCut && builtGraph.isComplete,
  }
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
  const builtGraph = await buildUrlGraph(db, graphUrls, {
    crawl,
    maxLinks: MAX_GRAPH_LINKS,
    limit,
    maxEdges,
    by: 'found',
    since: null,
  })
  return {
    group: 'url',
    version: formatGraphVersion(toGraphVersion(graphUrls.urls)),
    nodes: builtGraph.nodes,
    edges: builtGraph.edges,
    totalNodes: others.length + 1,
    totalEdges: builtGraph.totalEdges,
    isComplete: builtGraph.isComplete && others.length < limit && !around.isCut,
  }
}
