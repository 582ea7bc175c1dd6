// What a crawl found, in figures: statistics, the link graph, what went wrong.

import { divideMemory } from '../../config/memory-budget.ts'
import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { type CrawlGraph, type CrawlStats, type GraphRequest, readsWholeCrawl } from '../../ports/browse.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import { ledgerTotal } from '../../ports/state.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { findProgress } from '../requests/find-crawl.ts'
import { isoTime, isoTimeOrNull } from '../views/progress-view.ts'
import { severityOf } from '../views/severity.ts'

const NODE_BYTES = 500
const EDGE_BYTES = 100

export function insightHandlers(parts: ApiDependencies): HandlersFor<'getStats' | 'getGraph' | 'listErrors'> {
  const { crawls, browse, clock, config } = parts
  const now = () => clock.now()
  const stats = new AdaptiveCache<CrawlStats>(now, { servesStale: true })
  const maxBytes = divideMemory(config).graphCacheBytes
  const graphs = new AdaptiveCache<CrawlGraph>(now, { servesStale: true, maxBytes, sizeOf: graphBytes })
  parts.onMemoryPressure(() => graphs.clear())
  return {
    async getStats({ params }) {
      const { crawl, ledger } = await findProgress(crawls, params.crawl_id)
      // What was counted while it ran is not the end.
      const found = await stats.get(`${crawl.id} ${crawl.status}`, () => browse.stats(crawl.id))
      return {
        crawl_id: crawl.id,
        as_of: isoTime(found.asOf),
        states: ledger,
        status_codes: found.statusCodes,
        content_types: found.contentTypes,
        reasons: found.reasons,
        depths: found.depths,
        hosts: found.hosts.map(({ host, urls, visited, failed, bytes, meanFetchMs }) => ({
          ...{ host, urls, visited, failed, bytes },
          mean_fetch_ms: meanFetchMs ?? 0,
        })),
        host_count: found.hostCount,
        fetch_ms: {
          ...found.fetchMs,
          histogram: found.fetchTimes.map(({ upTo, count }) => ({ up_to: upTo, count })),
        },
        content_length: found.contentLength,
      }
    },
    async getGraph({ params, query }) {
      const progress = await findProgress(crawls, params.crawl_id)
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
      const draw = () => browse.graph(crawl.id, request)
      const answer = readsWholeCrawl(request) ? await graphs.get(graphKey(progress, request), draw) : await draw()
      return {
        crawl_id: crawl.id,
        group: answer.group,
        version: answer.version,
        nodes: answer.nodes.map(({ urlId, ...node }) => ({ ...node, url_id: urlId })),
        edges: answer.edges,
        total_nodes: answer.totalNodes,
        total_edges: answer.totalEdges,
        is_complete: answer.isComplete,
      }
    },
    async listErrors({ params, query }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
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
        })),
      }
    },
  }
}

/** While a crawl runs, its graph may be some moments old. */
function graphKey({ crawl, ledger }: CrawlProgress, request: GraphRequest): string {
  const version = crawl.status === 'running' ? 'running' : `${crawl.status} ${Object.values(ledger)}`
  return `${crawl.id} ${version} ${JSON.stringify(request)}`
}

/** About what it takes in memory. */
function graphBytes({ nodes, edges }: CrawlGraph): number {
  return NODE_BYTES * nodes.length + EDGE_BYTES * edges.length
}

/** Urls while they fit, else groups of them. What is near a url, in a group or new is urls always. */
function groupFor(
  total: number,
  query: { limit: number; around?: number | undefined; under?: string | undefined; since?: string | undefined },
): 'url' | 'path' {
  const isPart = query.around !== undefined || query.under !== undefined || query.since !== undefined
  return isPart || total <= query.limit ? 'url' : 'path'
}
