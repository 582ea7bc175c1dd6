// Everything a crawl found, as a stream that is made no faster than it is read.

import { chunksOf } from '../../engine/export/chunks-of.ts'
import type { ExportFormat } from '../../engine/export/formats.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { ApiParts, Some } from '../handlers.ts'
import { passing, toFilter } from '../requests/filter.ts'
import { findCrawl } from '../requests/find.ts'
import { refuseFields } from '../requests/refusal.ts'

const TYPES: Record<ExportFormat, string> = {
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  graphml: 'application/xml',
  warc: 'application/warc',
  'pages.jsonl': 'application/x-ndjson',
}

/** Those that are lines can go on where they were cut off, and be made of some rows only. */
const OF_ROWS: readonly ExportFormat[] = ['jsonl', 'json', 'csv']
const RESUMABLE: readonly ExportFormat[] = ['jsonl', 'csv']

export function exportHandlers(parts: ApiParts): Some<'exportCrawl'> {
  return {
    async exportCrawl({ params, query }, { requestId }) {
      const crawl = await findCrawl(parts.crawls, params.crawl_id)
      const { format, after, ...given } = query
      if (after > 0 && !RESUMABLE.includes(format)) {
        throw refuseFields('BAD_REQUEST', [
          { field: 'query.after', message: `Only ${RESUMABLE.join(' and ')} can go on.` },
        ])
      }
      if (Object.keys(given).length > 0 && !OF_ROWS.includes(format)) {
        const fields = Object.keys(given).map((name) => `query.${name}`)
        const message = `Filters go with ${OF_ROWS.join(', ')} only.`
        throw refuseFields(
          'BAD_REQUEST',
          fields.map((field) => ({ field, message })),
        )
      }
      const onDamaged = (what: string) =>
        parts.log.warn('export left out', { crawl: crawl.id, request_id: requestId, what })
      const { urls, pages, archive, pageCache, search } = parts
      const rows = passing(urls.rows(crawl.id, after), toFilter(given))
      const readPage = (version: PageVersion) => pageCache.readOnce(version)
      const source = { crawl, rows, urls, search, pages, archive, readPage, onDamaged }
      const chunks = chunksOf(format, source)
      const extension = format === 'warc' ? 'warc.gz' : format
      return {
        type: TYPES[format],
        filename: `${crawl.id}.${extension}`,
        body: format === 'csv' && after > 0 ? withoutHead(chunks) : chunks,
      }
    },
  }
}

/** What goes on is put behind what came before, which has the names of the columns. */
async function* withoutHead(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    yield isFirst ? chunk.slice(chunk.indexOf('\n') + 1) : chunk
    isFirst = false
  }
}
