// The routes of a run's urls: listed, exported, and as a graph.

import { z } from 'zod'
import { ledgerTotal } from '../../../ports/state.ts'
import type { UrlRow } from '../../../ports/urls.ts'
import type { ApiParts } from '../../handlers.ts'
import { findCrawl, findProgress } from '../../requests/find.ts'
import { type DialectRoute, on, Stream } from '../mount.ts'
import { Deltas } from './delta.ts'
import { exportRun } from './export.ts'
import { edgeCount, lineageOf } from './graph.ts'
import { urlJson } from './json.ts'
import { RUN_SORTS, rowsInOrder, takeRows } from './order.ts'
import { bounded, lowerWord, runParams, upperWord } from './query.ts'
import { NATIVE_STATES, RUN_URL_STATUSES, readerOf, totalFor } from './states.ts'
import type { Totals } from './totals.ts'

const LIST = {
  scope: 'read',
  params: runParams,
  query: z.object({
    status: upperWord(RUN_URL_STATUSES).optional(),
    limit: bounded(50, 1, 50_000),
    offset: bounded(0, 0, Number.MAX_SAFE_INTEGER),
    sort: lowerWord(RUN_SORTS).default('id'),
    order: lowerWord(['asc', 'desc']).default('asc'),
  }),
} as const

const EXPORT = {
  scope: 'read',
  params: runParams,
  query: z.object({ format: lowerWord(['json', 'csv']).default('json'), limit: bounded(50_000, 1, 500_000) }),
} as const

const GRAPH = {
  scope: 'read',
  params: runParams,
  query: z.object({ limit: bounded(100_000, 1, 200_000) }),
} as const

const DELTA = {
  scope: 'read',
  params: runParams,
  query: z.object({
    after_version: z.coerce.number().min(0).default(0).transform(Math.floor),
    limit: bounded(5000, 1, 20_000),
  }),
} as const

export function runUrlRoutes({ crawls, browse, urls, clock }: ApiParts, totals: Totals): DialectRoute[] {
  const deltas = new Deltas({ browse, urls, clock })
  return [
    on('GET /crawl-runs/:id/urls', LIST, async ({ params, query }) => {
      const progress = await findProgress(crawls, params.id)
      const { status, limit, offset, sort, order } = query
      const read = readerOf(progress.crawl)
      const states = status === undefined ? null : NATIVE_STATES[status]
      const isDescending = order === 'desc'
      const wanted = { crawlId: progress.crawl.id, states, sort, isDescending, count: offset + limit }
      const passes = (row: UrlRow) => status === undefined || read(row).status === status
      const rows = await takeRows(rowsInOrder(browse, wanted), { offset, limit }, passes)
      const total = totalFor(status, await totals.of(progress))
      return {
        crawl_run_id: progress.crawl.id,
        pagination: { limit, offset, returned: rows.length, total, has_more: offset + rows.length < total },
        filters: { status: status ?? null, sort, order },
        urls: rows.map((row) => urlJson(row, read)),
      }
    }),
    on('GET /crawl-runs/:id/export', EXPORT, async ({ params, query }) => {
      return new Stream(exportRun(urls, { crawl: await findCrawl(crawls, params.id), ...query }))
    }),
    on('GET /crawl-runs/:id/graph', GRAPH, async ({ params, query }) => {
      const { crawl, ledger } = await findProgress(crawls, params.id)
      const edges = await lineageOf(urls, crawl.id, query.limit)
      return { crawl_run_id: crawl.id, edge_count: edges.length, node_count: ledgerTotal(ledger), edges }
    }),
    on('GET /crawl-runs/:id/graph-delta', DELTA, async ({ params, query: { after_version, limit } }) => {
      const { crawl, ledger } = await findProgress(crawls, params.id)
      const { hasMore, watermark, ...delta } = await deltas.since(crawl, { version: after_version, limit })
      const nodes = ledgerTotal(ledger)
      return {
        crawl_run_id: crawl.id,
        ...delta,
        pagination: { limit, returned: delta.urls.length, has_more: hasMore },
        watermark: { graph_version: watermark },
        totals: { nodes, edges: edgeCount(nodes, crawl) },
      }
    }),
  ]
}
