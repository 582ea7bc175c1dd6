// Streams an export of a crawl, at the speed of the reader.

import { tmpdir } from 'node:os'
import type { ExportFormat } from '../../config/values/export-formats.ts'
import { streamExport } from '../../engine/export/stream-export.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { findCrawl } from '../requests/find-crawl.ts'
import { invalidFieldsError } from '../requests/request-error.ts'
import { filterUrlRows, toUrlFilter } from '../requests/url-filter.ts'

const TYPES: Record<ExportFormat, string> = {
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  sqlite: 'application/vnd.sqlite3',
  graphml: 'application/xml',
  neo4j: 'application/zip',
  cypher: 'text/plain; charset=utf-8',
  edges: 'text/tab-separated-values; charset=utf-8',
  warc: 'application/warc',
  wacz: 'application/wacz+zip',
  'pages.jsonl': 'application/x-ndjson',
  markdown: 'application/zip',
  'chunks.jsonl': 'application/x-ndjson',
}

const EXTENSIONS: Partial<Record<ExportFormat, string>> = {
  warc: 'warc.gz',
  markdown: 'markdown.zip',
  neo4j: 'neo4j.zip',
  edges: 'edges.tsv',
}

/** Formats with one row per URL can be filtered; formats with one line per URL can be resumed. */
const ROW_FORMATS: readonly ExportFormat[] = ['jsonl', 'json', 'csv']
const RESUMABLE: readonly ExportFormat[] = ['jsonl', 'csv']

export function exportHandlers(dependencies: ApiDependencies): HandlersFor<'exportCrawl'> {
  return {
    async exportCrawl({ params, query }, { requestId }) {
      const crawl = await findCrawl(dependencies.crawls, params.crawl_id)
      const { format, after, ...filters } = query
      if (after > 0 && !RESUMABLE.includes(format)) {
        throw invalidFieldsError('BAD_REQUEST', [
          { field: 'query.after', message: `Only ${RESUMABLE.join(' and ')} exports can be continued.` },
        ])
      }
      if (Object.keys(filters).length > 0 && !ROW_FORMATS.includes(format)) {
        const fields = Object.keys(filters).map((name) => `query.${name}`)
        const message = `Filters are only supported for ${ROW_FORMATS.join(', ')}.`
        throw invalidFieldsError(
          'BAD_REQUEST',
          fields.map((field) => ({ field, message })),
        )
      }
      const onDamaged = (what: string) =>
        dependencies.log.warn('export skipped a damaged record', { crawl: crawl.id, request_id: requestId, what })
      const { urls, pages, archive, pageCache, search, writeTables } = dependencies
      const rows = filterUrlRows(urls.rows(crawl.id, after), toUrlFilter(filters))
      const readPage = (version: PageVersion) => pageCache.readUncached(version)
      const scratch = { scratchFolder: tmpdir(), now: () => dependencies.clock.now() }
      const source = { crawl, rows, urls, search, pages, archive, readPage, writeTables, onDamaged, ...scratch }
      const chunks = streamExport(format, source)
      return {
        type: TYPES[format],
        filename: `${crawl.id}.${EXTENSIONS[format] ?? format}`,
        body: format === 'csv' && after > 0 ? withoutHeader(chunks) : chunks,
      }
    },
  }
}

/** A continued CSV is appended to the first part, which already has the header. */
async function* withoutHeader(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    yield isFirst ? chunk.slice(chunk.indexOf('\n') + 1) : chunk
    isFirst = false
  }
}
