// Streams the export of a run: rows in the order of their ids, as JSON or CSV, at the speed of the reader.

import type { StreamedResponse } from '../../api/contract/route.ts'
import { csvCell } from '../../engine/export/csv.ts'
import { encodeInChunks } from '../../engine/export/encode-in-chunks.ts'
import type { Browse } from '../../ports/browse.ts'
import type { Crawl, Crawls } from '../../ports/crawls.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'
import { FinalUrls } from '../final-urls.ts'
import { type RawUrlDependencies, RawUrls } from './raw-urls.ts'
import { type RunUrl, runUrlJson } from './run-json.ts'
import { RowsInFlight } from './run-rows.ts'
import { createStateMapper } from './run-states.ts'

const COLUMNS = [
  'id',
  'normalized_url',
  'status',
  'http_status',
  'content_type',
  'retry_count',
  'claimed_by_worker',
  'claimed_at',
  'visited_at',
  'raw_url',
  'discovered_from_url_id',
  'depth',
  'requested_url',
  'final_url',
  'redirected',
  'final_in_scope',
] as const satisfies (keyof RunUrl)[]

/** Rows whose redirects are followed together; no more than the pages whose links are read together. */
const BATCH_ROWS = 500

export interface RunExportRequest {
  crawl: Crawl
  format: 'json' | 'csv'
  limit: number
}

export interface ExportRunDependencies extends RawUrlDependencies {
  urls: Pick<Urls, 'rows' | 'urlsOf'>
  browse: Pick<Browse, 'redirectTargets'>
  crawls: Pick<Crawls, 'urlsInFlight'>
}

export function exportRun(
  dependencies: ExportRunDependencies,
  { crawl, format, limit }: RunExportRequest,
): StreamedResponse {
  const rows = exportedRows(dependencies, crawl, limit)
  if (format === 'csv') {
    const body = encodeInChunks(rows, csvLine, { head: `${COLUMNS.join(',')}\n`, tail: '' })
    return { type: 'text/csv; charset=utf-8', filename: `crawl-${crawl.id}.csv`, body }
  }
  return { type: 'application/json', filename: null, body: jsonChunks(rows, crawl.id, limit) }
}

async function* exportedRows(dependencies: ExportRunDependencies, crawl: Crawl, limit: number): AsyncGenerator<RunUrl> {
  const { urls, browse, crawls } = dependencies
  const mapState = createStateMapper(crawl)
  const rowsInFlight = await RowsInFlight.read(crawls, crawl.id)
  for await (const rows of inBatches(urls.rows(crawl.id), limit)) {
    const finalUrls = await FinalUrls.read(browse, crawl, rows)
    const rawUrls = await RawUrls.read(dependencies, crawl, rows)
    for (const row of rows) yield runUrlJson(rowsInFlight.addLease(row), { mapState, finalUrls, rawUrls })
  }
}

async function* inBatches(rows: AsyncIterable<UrlRow>, limit: number): AsyncGenerator<UrlRow[]> {
  let batch: UrlRow[] = []
  let count = 0
  for await (const row of rows) {
    batch.push(row)
    count += 1
    if (count === limit) break
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  yield batch
}

/** The count follows the rows, because it is not known before. */
async function* jsonChunks(rows: AsyncGenerator<RunUrl>, crawlId: string, limit: number): AsyncGenerator<string> {
  let count = 0
  const head = `{"crawl_run_id":${JSON.stringify(crawlId)},"limit":${limit},"urls":[`
  const encode = (row: RunUrl) => {
    count += 1
    const chosen = Object.fromEntries(COLUMNS.map((column) => [column, row[column]]))
    return `${count === 1 ? '' : ',\n'}${JSON.stringify(chosen)}`
  }
  yield* encodeInChunks(rows, encode, { head, tail: '' })
  yield `],"count":${count}}`
}

function csvLine(row: RunUrl): string {
  const cells = COLUMNS.map((column) => {
    const value = row[column]
    return csvCell(typeof value === 'boolean' ? String(value) : value)
  })
  return `${cells.join(',')}\n`
}
