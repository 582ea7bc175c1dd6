// Handlers for the statistics, the link graph and the errors of a crawl.

import { AdaptiveCache } from '../../lib/adaptive-cache.ts'
import { AppError } from '../../lib/errors.ts'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import { ledgerTotal } from '../../lib/states.ts'
import { type CrawlStats, type FolderFigures, type GraphNode, listEdges } from '../../ports/browse.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { severityOf } from '../views/severity.ts'

export function insightHandlers({
  crawls,
  browse,
  clock,
  threadDiagnostics,
  onMemoryPressure,
}: ApiDependencies): HandlersFor<'getStats' | 'getGraph' | 'getFolders' | 'listErrors' | 'listBrokenSitemaps'> {
  const now = () => clock.now()
  const stats = new AdaptiveCache<CrawlStats>(now, { servesStale: true })
  onMemoryPressure(() => {
    // The thread that has it may be ending, which frees it as well.
    browse.freeMemory().catch(() => undefined)
  })
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
      const { crawl, ledger } = await crawls.progress(params.crawl_id)
      const graph = await browse.graph(crawl.id, {
        limit: query.limit,
        by: query.by,
        group: query.group === 'auto' ? groupFor(ledgerTotal(ledger), query) : query.group,
        around: query.around ?? null,
        under: query.under ?? null,
        since: query.since ?? null,
        open: query.open?.split(' ').filter(Boolean) ?? [],
        maxEdges: query.max_edges,
      })
      return {
        crawl_id: crawl.id,
        group: graph.group,
        version: graph.version,
        nodes: graph.nodes.map(nodeJson),
        edges: listEdges(graph.edges),
        total_nodes: graph.totalNodes,
        total_edges: graph.totalEdges,
        is_complete: graph.isComplete,
      }
    },
    async getFolders({ params, query }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      const { under = null, limit } = query
      const contents = await browse.folders(crawl.id, { under, limit })
      if (contents === null) throw new AppError('FOLDER_NOT_FOUND', `The crawl has no folder ${under}.`)
      return {
        crawl_id: crawl.id,
        label: contents.label,
        urls: contents.urls,
        bytes: contents.bytes,
        folders: contents.folders.map(({ children, ...folder }) => ({
          ...folderJson(folder),
          children: children.map(({ children: lower, ...child }) => ({
            ...folderJson(child),
            children: lower.map(folderJson),
          })),
        })),
        total_folders: contents.totalFolders,
        own_urls: contents.ownUrls.map(({ id, url, state, leftOut, bytes, fetchMs }) => ({
          url_id: id,
          url,
          state,
          left_out: leftOut,
          bytes,
          fetch_ms: fetchMs,
        })),
        total_own_urls: contents.totalOwnUrls,
        is_complete: contents.isComplete,
      }
    },
    async listBrokenSitemaps({ params }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      return { items: await threadDiagnostics.brokenSitemaps(crawl.id) }
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

/** Written out: copying the rest of thousands of nodes costs three times as much. */
function nodeJson(node: GraphNode) {
  const { id, label, urlId, host, state, states, leftOut, depth, urls, inlinks, rank, parent } = node
  return { id, label, url_id: urlId, host, state, states, left_out: leftOut, depth, urls, inlinks, rank, parent }
}

function folderJson({ meanFetchMs, leftOut, ...figures }: FolderFigures) {
  return { ...figures, mean_fetch_ms: meanFetchMs, left_out: leftOut }
}

/**
 * Nodes are URLs if they fit into the limit, otherwise groups. Requests with `around`, `under` or `since` always return
 * URLs.
 */
function groupFor(
  total: number,
  query: { limit: number; around?: number | undefined; under?: string | undefined; since?: string | undefined },
): 'url' | 'path' {
  const isPartial = query.around !== undefined || query.under !== undefined || query.since !== undefined
  return isPartial || total <= query.limit ? 'url' : 'path'
}
