// Streams a crawl in any export format.

import { hash } from 'node:crypto'
import type { ExportFormat } from '../../config/values/export-formats.ts'
import type { Pages } from '../../ports/pages.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'
import type { PageReader } from '../pages/read-archived-page.ts'
import { toCsv } from './csv.ts'
import { toPageRecords, toWarc } from './export-pages.ts'
import { toGraphml } from './graphml.ts'
import { toJson } from './json.ts'
import { toJsonl } from './jsonl.ts'
import { type MarkdownExportDependencies, toChunkLines, toMarkdownZip } from './markdown-export.ts'
import { toWacz, type WaczExportDependencies } from './wacz/wacz.ts'
import { type LinkRankSource, withLinkRanks } from './with-link-ranks.ts'
import { withParentUrls } from './with-parent-urls.ts'

export interface ExportSource extends WaczExportDependencies {
  readPage: PageReader
  /** The selected rows; pages are always exported completely. */
  rows: AsyncIterable<UrlRow>
  urls: Pick<Urls, 'edges' | 'urlsOf'>
  /** Null if there is no index: then no URL has a link rank. */
  search: LinkRankSource | null
  pages: Pick<Pages, 'find' | 'listByCrawl'>
}

export function streamExport(format: ExportFormat, source: ExportSource): AsyncGenerator<string | Buffer> {
  const { urls, pages, crawl, search } = source
  const rows = withLinkRanks(source.rows, crawl.id, search)
  switch (format) {
    case 'jsonl':
      return toJsonl(rows)
    case 'json':
      return toJson(rows)
    case 'csv':
      return toCsv(withParentUrls(rows, crawl.id, urls))
    case 'graphml':
      return toGraphml(rows, urls.edges(crawl.id))
    case 'warc':
      return toWarc(pages.listByCrawl(crawl.id), source)
    case 'wacz':
      return toWacz(pages.listByCrawl(crawl.id), source)
    case 'markdown':
      return toMarkdownZip(markdownSource(source))
    case 'chunks.jsonl':
      return toChunkLines(markdownSource(source))
    case 'pages.jsonl':
      return toPageRecords(pages.listByCrawl(crawl.id), source)
  }
}

function markdownSource({ pages, crawl, readPage, onDamaged, now }: ExportSource): MarkdownExportDependencies {
  // Ids of crawls are random.
  const seed = Number.parseInt(hash('sha256', crawl.id, 'hex').slice(0, 8), 16)
  return { listPages: () => pages.listByCrawl(crawl.id), readPage, onDamaged, now, seed }
}
