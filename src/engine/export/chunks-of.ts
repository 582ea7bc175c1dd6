// A crawl in any of the formats, in pieces.

import type { Pages } from '../../ports/pages.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'
import type { PageReader } from '../pages/read.ts'
import { toCsv } from './csv.ts'
import type { ExportFormat } from './formats.ts'
import { toGraphml } from './graphml.ts'
import { toJson } from './json.ts'
import { toJsonl } from './jsonl.ts'
import { toPageRecords, toWarc, type WarcParts } from './pages.ts'
import { type RankSource, withRanks } from './ranks.ts'

export interface ExportSource extends WarcParts {
  readPage: PageReader
  /** Those that are wanted; of the pages it is always all. */
  rows: AsyncIterable<UrlRow>
  urls: Pick<Urls, 'edges'>
  /** Null when nothing is indexed: then no url has a link rank. */
  search: RankSource | null
  pages: Pick<Pages, 'find' | 'ofCrawl'>
}

export function chunksOf(format: ExportFormat, source: ExportSource): AsyncGenerator<string | Buffer> {
  const { urls, pages, crawl, search } = source
  const rows = withRanks(source.rows, crawl.id, search)
  switch (format) {
    case 'jsonl':
      return toJsonl(rows)
    case 'json':
      return toJson(rows)
    case 'csv':
      return toCsv(rows)
    case 'graphml':
      return toGraphml(rows, urls.edges(crawl.id))
    case 'warc':
      return toWarc(pages.ofCrawl(crawl.id), source)
    case 'pages.jsonl':
      return toPageRecords(pages.ofCrawl(crawl.id), source)
  }
}
