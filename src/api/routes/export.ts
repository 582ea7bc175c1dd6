// Everything a crawl found, as a stream that is made no faster than it is read.

import { toCsv } from '../../engine/export/csv.ts'
import { toGraphml } from '../../engine/export/graphml.ts'
import { toJson } from '../../engine/export/json.ts'
import { toJsonl } from '../../engine/export/jsonl.ts'
import { toPageRecords, toWarc } from '../../engine/export/pages.ts'
import type { UrlFilter } from '../../ports/browse.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { EXPORT_FORMATS } from '../contract/urls.ts'
import type { ApiParts, Some } from '../handlers.ts'
import { passing, toFilter } from '../requests/filter.ts'
import { findCrawl } from '../requests/find.ts'
import { refuseFields } from '../requests/refusal.ts'

type Format = (typeof EXPORT_FORMATS)[number]

const TYPES: Record<Format, string> = {
  jsonl: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  graphml: 'application/xml',
  warc: 'application/warc',
  'pages.jsonl': 'application/x-ndjson',
}

/** Those that are lines can go on where they were cut off, and be made of some rows only. */
const OF_ROWS: readonly Format[] = ['jsonl', 'json', 'csv']
const RESUMABLE: readonly Format[] = ['jsonl', 'csv']

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
      const extension = format === 'warc' ? 'warc.gz' : format
      return {
        type: TYPES[format],
        filename: `${crawl.id}.${extension}`,
        body: chunksOf(format, { crawl, after, filter: toFilter(given), onDamaged }),
      }
    },
  }

  function chunksOf(format: Format, { crawl, after, filter, onDamaged }: Wanted): AsyncGenerator<string | Buffer> {
    const { urls, pages, archive, reading } = parts
    const rows = () => passing(urls.rows(crawl.id, after), filter)
    switch (format) {
      case 'jsonl':
        return toJsonl(rows())
      case 'json':
        return toJson(rows())
      case 'csv':
        return after > 0 ? withoutHead(toCsv(rows())) : toCsv(rows())
      case 'graphml':
        return toGraphml(rows(), urls.edges(crawl.id))
      case 'warc':
        return toWarc(pages.ofCrawl(crawl.id), { pages, archive, crawl, onDamaged })
      case 'pages.jsonl':
        return toPageRecords(pages.ofCrawl(crawl.id), { ...reading, onDamaged })
    }
  }
}

interface Wanted {
  crawl: Crawl
  after: number
  filter: UrlFilter
  onDamaged: (what: string) => void
}

/** What goes on is put behind what came before, which has the names of the columns. */
async function* withoutHead(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const chunk of chunks) {
    yield isFirst ? chunk.slice(chunk.indexOf('\n') + 1) : chunk
    isFirst = false
  }
}
