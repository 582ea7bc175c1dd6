// Streams a crawl in any export format.

import { hash } from 'node:crypto'
import type { ExportFormat } from '../../config/values/export-formats.ts'
import type { Pages } from '../../ports/pages.ts'
import type { WriteTables } from '../../ports/tables.ts'
import type { UrlRow, Urls } from '../../ports/urls.ts'
import type { PageReader } from '../pages/read-archived-page.ts'
import type { ExportRow } from './columns.ts'
import { toCsv } from './csv.ts'
import { toEdgeList } from './edge-list.ts'
import { toPageRecords, toWarc } from './export-pages.ts'
import { toGraphml } from './graphml.ts'
import { toJson } from './json.ts'
import { toJsonl } from './jsonl.ts'
import { type MarkdownExportDependencies, toChunkLines, toMarkdownZip } from './markdown-export.ts'
import { toCypher, toNeo4jZip } from './neo4j.ts'
import { toSqlite } from './sqlite.ts'
import { toWacz, type WaczExportDependencies } from './wacz/wacz.ts'
import { type LinkRankSource, withLinkRanks } from './with-link-ranks.ts'
import { hasPageData, listFieldNames, withPageData } from './with-page-data.ts'
import { withParentUrls } from './with-parent-urls.ts'

export interface ExportSource extends WaczExportDependencies {
  readPage: PageReader
  /** The selected rows; pages are always exported completely. */
  rows: AsyncIterable<UrlRow>
  urls: Pick<Urls, 'edges' | 'urlsOf'>
  /** Null if there is no index; then no URL has a link rank. */
  search: LinkRankSource | null
  pages: Pick<Pages, 'find' | 'listByCrawl' | 'dataOfUrls' | 'dataOfCrawl'>
  writeTables: WriteTables
}

export function streamExport(format: ExportFormat, source: ExportSource): AsyncGenerator<string | Buffer> {
  const { urls, pages, crawl, search } = source
  const ranked = withLinkRanks(source.rows, crawl.id, search)
  switch (format) {
    case 'jsonl':
    case 'json':
    case 'csv':
    case 'sqlite':
      return exportWithData(format, source, ranked)
    case 'graphml':
      return toGraphml(ranked, urls.edges(crawl.id))
    case 'neo4j':
      return toNeo4jZip(ranked, urls.edges(crawl.id), source.now())
    case 'cypher':
      return toCypher(ranked, urls.edges(crawl.id))
    case 'edges':
      return toEdgeList(urls.edges(crawl.id), crawl.id, urls)
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

async function* exportWithData(
  format: 'jsonl' | 'json' | 'csv' | 'sqlite',
  source: ExportSource,
  ranked: AsyncIterable<ExportRow>,
): AsyncGenerator<string | Buffer> {
  const { urls, pages, crawl } = source
  const hasData = await hasPageData(crawl, pages)
  const rows = hasData ? withPageData(ranked, crawl.id, pages) : ranked
  switch (format) {
    case 'jsonl':
      return yield* toJsonl(rows)
    case 'json':
      return yield* toJson(rows)
    case 'csv':
      return yield* toCsv(withParentUrls(rows, crawl.id, urls), hasData ? await listFieldNames(crawl, pages) : [])
    case 'sqlite': {
      const { extract: rules, structuredData } = crawl.settings
      return yield* toSqlite(rows, urls.edges(crawl.id), { ...source, rules, structuredData, hasData })
    }
  }
}

function markdownSource({ pages, crawl, readPage, onDamaged, now }: ExportSource): MarkdownExportDependencies {
  // Ids of crawls are random.
  const seed = Number.parseInt(hash('sha256', crawl.id, 'hex').slice(0, 8), 16)
  return { listPages: () => pages.listByCrawl(crawl.id), readPage, onDamaged, now, seed }
}
