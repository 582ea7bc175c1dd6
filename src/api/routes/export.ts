// Everything a crawl found, as a stream that is made no faster than it is read.

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
  graphml: 'application/xml',
  warc: 'application/warc',
  'pages.jsonl': 'application/x-ndjson',
}

/** Those that are lines can go on where they were cut off, and be made of some rows only. */
const ROW_FORMATS: readonly ExportFormat[] = ['jsonl', 'json', 'csv']
const RESUMABLE: readonly ExportFormat[] = ['jsonl', 'csv']

export function exportHandlers(parts: ApiDependencies): HandlersFor<'exportCrawl'> {
  return {
    async exportCrawl({ params, query }, { requestId }) {
      const crawl = await findCrawl(parts.crawls, params.crawl_id)
      const { format, after, ...given } = query
      if (after > 0 && !RESUMABLE.includes(format)) {
        throw invalidFieldsError('BAD_REQUEST', [
          { field: 'query.after', message: `Only ${RESUMABLE.join(' and ')} can go on.` },
        ])
      }
      if (Object.keys(given).length > 0 && !ROW_FORMATS.includes(format)) {
        const fields = Object.keys(given).map((name) => `query.${name}`)
        const message = `Filters go with ${ROW_FORMATS.join(', ')} only.`
        throw invalidFieldsError(
          'BAD_REQUEST',
          fields.map((field) => ({ field, message })),
        )
      }
      const onDamaged = (what: string) =>
        parts.log.warn('export left out', { crawl: crawl.id, request_id: requestId, what })
      const { urls, pages, archive, pageCache, search } = parts
      const rows = filterUrlRows(urls.rows(crawl.id, after), toUrlFilter(given))
      const readPage = (version: PageVersion) => pageCache.readUncached(version)
      const source = { crawl, rows, urls, search, pages, archive, readPage, onDamaged }
      const chunks = streamExport(format, source)
      const extension = format === 'warc' ? 'warc.gz' : format
      return {
        type: TYPES[format],
        filename: `${crawl.id}.${extension}`,
        body: format === 'csv' && after > 0 ? withoutHeader(chunks) : chunks,
      }
    },
  }
}

/** What goes on is put behind what came before, which has the names of the columns. */
async function* withoutHeader(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    yield isFirst ? chunk.slice(chunk.indexOf('\n') + 1) : chunk
    isFirst = false
  }
}
