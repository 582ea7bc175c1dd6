// The routes of a run's URLs: list, export and graph.

import { z } from 'zod'
import type { ApiDependencies } from '../../api/handlers.ts'
import { findCrawl } from '../../api/requests/find-crawl.ts'
import { ledgerTotal } from '../../lib/states.ts'
import type { CrawlProgress } from '../../ports/crawls.ts'
import type { UrlRow } from '../../ports/urls.ts'
import { FinalUrls } from '../final-urls.ts'
import { type CompatRoute, defineRoute, StreamResult } from '../mount-compat-routes.ts'
import { exportRun } from './export-run.ts'
import { GraphDeltas } from './graph-deltas.ts'
import { edgeCount, readLineage } from './lineage.ts'
import { clampedNumber, lowercaseEnum, runParams, uppercaseEnum } from './query-params.ts'
import { RawUrls } from './raw-urls.ts'
import { runUrlJson } from './run-json.ts'
import { RowsInFlight, type RunRow } from './run-rows.ts'
import { createStateMapper, NATIVE_STATES, RUN_URL_STATUSES, type StateMapper, totalFor } from './run-states.ts'
import type { RunTotalsReader } from './run-totals.ts'
import { RUN_SORTS, readSortedRows, sortRows, takePage } from './sorted-rows.ts'

const LIST = {
  scope: 'read',
  params: runParams,
  query: z.object({
    status: uppercaseEnum(RUN_URL_STATUSES).optional(),
    limit: clampedNumber(50, 1, 50_000),
    offset: clampedNumber(0, 0, Number.MAX_SAFE_INTEGER),
    sort: lowercaseEnum(RUN_SORTS).default('id'),
    order: lowercaseEnum(['asc', 'desc']).default('asc'),
  }),
} as const

type UrlListQuery = z.output<typeof LIST.query>

const EXPORT = {
  scope: 'read',
  params: runParams,
  query: z.object({ format: lowercaseEnum(['json', 'csv']).default('json'), limit: clampedNumber(50_000, 1, 500_000) }),
} as const

const GRAPH = {
  scope: 'read',
  params: runParams,
  query: z.object({ limit: clampedNumber(100_000, 1, 200_000) }),
} as const

const DELTA = {
  scope: 'read',
  params: runParams,
  query: z.object({
    after_version: z.coerce.number().min(0).default(0).transform(Math.floor),
    limit: clampedNumber(5000, 1, 20_000),
  }),
} as const

export function runUrlRoutes(dependencies: ApiDependencies, runTotalsReader: RunTotalsReader): CompatRoute[] {
  const { crawls, browse, urls, pages, pageCache, access, clock } = dependencies
  const graphDeltas = new GraphDeltas({
    crawls,
    browse,
    urls,
    pages,
    pageCache,
    positions: access.idempotencyKeys,
    clock,
  })
  return [
    defineRoute('GET /crawl-runs/:id/urls', LIST, async ({ params, query }) => {
      const progress = await crawls.progress(params.id)
      const { status, limit, offset, sort, order } = query
      const { crawl } = progress
      const mapState = createStateMapper(crawl)
      const rowsInFlight = await RowsInFlight.read(crawls, crawl.id)
      const { rows, total } =
        status === 'IN_PROGRESS'
          ? listInFlight(await rowsInFlight.list(urls, crawl.id), query)
          : await listRows(progress, query, { mapState, rowsInFlight })
      const finalUrls = await FinalUrls.read(browse, crawl, rows)
      const rawUrls = await RawUrls.read(dependencies, crawl, rows)
      return {
        crawl_run_id: crawl.id,
        pagination: { limit, offset, returned: rows.length, total, has_more: offset + rows.length < total },
        filters: { status: status ?? null, sort, order },
        urls: rows.map((row) => runUrlJson(row, { mapState, finalUrls, rawUrls })),
      }
    }),
    defineRoute('GET /crawl-runs/:id/export', EXPORT, async ({ params, query }) => {
      const crawl = await findCrawl(crawls, params.id)
      return new StreamResult(exportRun(dependencies, { crawl, ...query }))
    }),
    defineRoute('GET /crawl-runs/:id/graph', GRAPH, async ({ params, query }) => {
      const { crawl, ledger } = await crawls.progress(params.id)
      const edges = await readLineage(urls, crawl.id, query.limit)
      return { crawl_run_id: crawl.id, edge_count: edges.length, node_count: ledgerTotal(ledger), edges }
    }),
    defineRoute('GET /crawl-runs/:id/graph-delta', DELTA, async ({ params, query: { after_version, limit } }) => {
      const { crawl, ledger } = await crawls.progress(params.id)
      const { hasMore, watermark, ...delta } = await graphDeltas.readSince(crawl, { version: after_version, limit })
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

  async function listRows(
    progress: CrawlProgress,
    urlQuery: UrlListQuery,
    { mapState, rowsInFlight }: { mapState: StateMapper; rowsInFlight: RowsInFlight },
  ) {
    const { crawl } = progress
    const { status, limit, offset, sort, order } = urlQuery
    const states = status === undefined ? null : NATIVE_STATES[status]
    const request = { crawlId: crawl.id, states, sort, isDescending: order === 'desc', count: offset + limit }
    const matches = (row: UrlRow) => status === undefined || mapState(rowsInFlight.addLease(row)).status === status
    const rows = await takePage(readSortedRows(browse, request), { offset, limit }, matches)
    const total = totalFor(status, await runTotalsReader.read(progress))
    return { rows: rows.map((row) => rowsInFlight.addLease(row)), total }
  }
}

function listInFlight(inFlight: RunRow[], { limit, offset, sort, order }: UrlListQuery) {
  const rows = sortRows(inFlight, sort, order === 'desc').slice(offset, offset + limit)
  return { rows, total: inFlight.length }
}
