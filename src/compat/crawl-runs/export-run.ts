// Streams the export of a run: rows in the order of their ids, as JSON or CSV, at the speed of the reader.

import type { StreamedResponse } from '../../api/contract/route.ts'
import { csvCell } from '../../engine/export/csv.ts'
import { encodeInChunks } from '../../engine/export/encode-in-chunks.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Urls } from '../../ports/urls.ts'
import { type RunUrl, runUrlJson } from './run-json.ts'
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

export interface RunExportRequest {
  crawl: Crawl
  format: 'json' | 'csv'
  limit: number
}

export function exportRun(urls: Pick<Urls, 'rows'>, { crawl, format, limit }: RunExportRequest): StreamedResponse {
  const rows = exportedRows(urls, crawl, limit)
  if (format === 'csv') {
    const body = encodeInChunks(rows, csvLine, { head: `${COLUMNS.join(',')}\n`, tail: '' })
    return { type: 'text/csv; charset=utf-8', filename: `crawl-${crawl.id}.csv`, body }
  }
  return { type: 'application/json', filename: null, body: jsonChunks(rows, crawl.id, limit) }
}

async function* exportedRows(urls: Pick<Urls, 'rows'>, crawl: Crawl, limit: number): AsyncGenerator<RunUrl> {
  const mapState = createStateMapper(crawl)
  let count = 0
  for await (const row of urls.rows(crawl.id)) {
    yield runUrlJson(row, mapState)
    count += 1
    if (count === limit) return
  }
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
