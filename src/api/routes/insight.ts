// What a crawl found, in figures: statistics, the link graph, what went wrong.

import type { CrawlStats } from '../../ports/browse.ts'
import { ledgerTotal } from '../../ports/state.ts'
import { Cached } from '../answers/cached.ts'
import { isoTime, isoTimeOrNull } from '../answers/progress.ts'
import { severityOf } from '../answers/severity.ts'
import type { ApiParts, Some } from '../handlers.ts'
import { findProgress } from '../requests/find.ts'

export function insightHandlers(parts: ApiParts): Some<'getStats' | 'getGraph' | 'listErrors'> {
  const { crawls, browse, clock } = parts
  const stats = new Cached<CrawlStats>(clock)
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
      const { crawl, ledger } = await findProgress(crawls, params.crawl_id)
      const { limit, by } = query
      const answer = await browse.graph(crawl.id, {
        limit,
        by,
        group: query.group === 'auto' ? groupFor(ledgerTotal(ledger), query) : query.group,
        around: query.around ?? null,
        under: query.under ?? null,
        since: query.since ?? null,
        maxEdges: query.max_edges,
      })
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
      const { counts, rows } = await browse.trouble(crawl.id, query.limit)
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

/** Urls while they fit, else groups of them. What is near a url, in a group or new is urls always. */
function groupFor(
  total: number,
  query: { limit: number; around?: number | undefined; under?: string | undefined; since?: string | undefined },
): 'url' | 'path' {
  const isPart = query.around !== undefined || query.under !== undefined || query.since !== undefined
  return isPart || total <= query.limit ? 'url' : 'path'
}
