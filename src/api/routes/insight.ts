// Handlers for the statistics, the link graph and the errors of a crawl.

import { divideMemory } from '../../config/memory-budget.ts'
import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import { isActive, ledgerTotal } from '../../lib/states.ts'
import { type CrawlGraph, type CrawlStats, type GraphRequest, readsWholeCrawl } from '../../ports/browse.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { severityOf } from '../views/severity.ts'

const NODE_BYTES = 500
const EDGE_BYTES = 100

export function insightHandlers(dependencies: ApiDependencies): HandlersFor<'getStats' | 'getGraph' | 'listErrors'> {
  const { crawls, browse, clock, config } = dependencies
  const now = () => clock.now()
  const stats = new AdaptiveCache<CrawlStats>(now, { servesStale: true })
  const maxBytes = divideMemory(config).graphCacheBytes
  const graphs = new AdaptiveCache<CrawlGraph>(now, { servesStale: true, maxBytes, sizeOf: graphBytes })
  dependencies.onMemoryPressure(() => graphs.clear())
  return {
    async getStats({ params }) {
      const { crawl, ledger } = await crawls.progress(params.crawl_id)
      // The status is part of the key, because statistics of a running crawl are not final.
      const crawlStats = await stats.get(`${crawl.id} ${crawl.status}`, () => browse.stats(crawl.id))
      return {
        crawl_id: crawl.id,
        as_of: isoTime(crawlStats.asOf),
        states: ledger,
        status_codes: crawlStats.statusCodes,
        content_types: crawlStats.contentTypes,
        reasons: crawlStats.reasons,
        depths: crawlStats.depths,
        hosts: crawlStats.hosts.map(({ host, urls, visited, failed, bytes, meanFetchMs }) => ({
          host,
          urls,
          visited,
          failed,
          bytes,
          mean_fetch_ms: meanFetchMs ?? 0,
        })),
        host_count: crawlStats.hostCount,
        fetch_ms: {
          ...crawlStats.fetchMs,
          histogram: crawlStats.fetchTimes.map(({ upTo, count }) => ({ up_to: upTo, count })),
        },
        content_length: crawlStats.contentLength,
      }
    },
    async getGraph({ params, query }) {
      const progress = await crawls.progress(params.crawl_id)
      const { crawl, ledger } = progress
      const { limit, by } = query
      const request: GraphRequest = {
        limit,
        by,
        group: query.group === 'auto' ? groupFor(ledgerTotal(ledger), query) : query.group,
        around: query.around ?? null,
        under: query.under ?? null,
        since: query.since ?? null,
        maxEdges: query.max_edges,
      }
      const readGraph = () => browse.graph(crawl.id, request)
      const isCacheable = readsWholeCrawl(request)
      const graph = await (isCacheable ? graphs.get(graphKey(progress, request), readGraph) : readGraph())
      return {
        crawl_id: crawl.id,
        group: graph.group,
        version: graph.version,
        nodes: graph.nodes.map(({ urlId, ...node }) => ({ ...node, url_id: urlId })),
        edges: graph.edges,
        total_nodes: graph.totalNodes,
        total_edges: graph.totalEdges,
        is_complete: graph.isComplete,
      }
    },
    async listErrors({ params, query }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      const { counts, rows } = await browse.problems(crawl.id, query.limit)
      return {
        counts: counts.map(({ state, key, count }) => ({ state, reason: key, count, severity: severityOf(state) })),
        items: rows.map((row) => ({
          url_id: row.id,
          url: row.url,
          state: row.state,
          reason: row.reason,
          http_status: row.httpStatus,
          severity: severityOf(row.state),
          attempts: row.attempts,
          visited_at: isoTimeOrNull(row.visitedAt),
          visited_by: row.visitedBy,
        })),
      }
    },
  }
}

/** The graph of a running crawl may be slightly stale. */
function graphKey({ crawl, ledger }: CrawlProgress, request: GraphRequest): string {
  const version = isActive(crawl.status) ? 'running' : `${crawl.status} ${Object.values(ledger)}`
  return `${crawl.id} ${version} ${JSON.stringify(request)}`
}

/** Approximate size in memory. */
function graphBytes({ nodes, edges }: CrawlGraph): number {
  return NODE_BYTES * nodes.length + EDGE_BYTES * edges.length
}

/** URLs if they fit into the limit, otherwise groups. Requests with `around`, `under` or `since` always return URLs. */
function groupFor(
  total: number,
  query: { limit: number; around?: number | undefined; under?: string | undefined; since?: string | undefined },
): 'url' | 'path' {
  const isPartial = query.around !== undefined || query.under !== undefined || query.since !== undefined
  return isPartial || total <= query.limit ? 'url' : 'path'
}
