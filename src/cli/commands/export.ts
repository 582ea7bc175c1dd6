import { tmpdir } from 'node:os'
import type { Client } from '../../api/client.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import type { ExportFormat } from '../../config/values/export-formats.ts'
import { hasText } from '../../engine/export/markdown-export.ts'
import { streamExport } from '../../engine/export/stream-export.ts'
import type { LinkRankSource } from '../../engine/export/with-link-ranks.ts'
import { readArchivedPage } from '../../engine/pages/read-archived-page.ts'
import { repeat, systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import { isS3Url } from '../files/s3-object.ts'
import { StreamCounter } from '../files/stream-counter.ts'
import { refuseExistingFile, writeChunks } from '../files/write-chunks.ts'
import { writePageObjects } from '../files/write-page-objects.ts'
import { formatCommand } from '../format/format-command.ts'
import { openProgressLine } from '../format/progress-line.ts'
import { formatBytes, pluralize, sanitizeText } from '../format/units.ts'
import type { Command, Io, ReadSession } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

const PROGRESS_INTERVAL_MS = 500

export const exportUrls: Command = {
  usage: '<id>',
  help: 'Export the URLs or pages of a crawl to a file or standard output.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'search', 'archiveStore', 'healthSecret', 'format', 'out', 'force'],
  async run(config, args, io) {
    const binary = BINARY_FORMATS[config.format]
    if (binary !== undefined && config.out === null && io.stdout.isTTY) {
      throw new AppError(
        'USAGE',
        `${binary.name} is binary: write it to a file, for example with --out ${binary.file}, or to a pipe.`,
      )
    }
    const id = requireCrawlId(args, config, io)
    const isToObjects = config.out !== null && isS3Url(config.out)
    if (isToObjects && (config.format !== 'pages.jsonl' || config.server !== null))
      throw new AppError(
        'USAGE',
        'Only pages can be exported to s3://, with --format pages.jsonl and without --server.',
      )
    if (config.out !== null && !isToObjects && !config.force) await refuseExistingFile(config.out)
    const client = createServerClient(config)
    if (client !== null) return callServer(client, () => downloadExport(client, id, config, io))
    return withReadSession(config, io, async (readSession) => {
      const crawl = await readSession.crawls.find(id)
      const search = PAGE_FORMATS.includes(config.format) ? null : await io.openSearchIndex(config, readSession.pages)
      const streamCounter = new StreamCounter()
      const written = () =>
        `${pluralize(streamCounter.items, FORMAT_NOUNS[config.format])} (${formatBytes(streamCounter.bytes)})`
      const progress = showProgress(config, io, written)
      let damaged = 0
      const onDamaged = (what: string) => {
        damaged += 1
        progress.clear()
        io.stderr.write(`Skipped a damaged record: ${sanitizeText(what)}\n`)
      }
      try {
        const source = { reader: readSession, crawl, counter: streamCounter, onDamaged, search: search?.index ?? null }
        const chunks = streamCounter.countBytes(countedChunks(config.format, source))
        if (config.out !== null && isToObjects) await writePageObjects(chunks, config.out, io.env)
        else await writeChunks(chunks, config.out ?? io.stdout)
      } finally {
        progress.end()
        await search?.close()
      }
      if (config.out !== null) io.stderr.write(`Wrote ${written()} to ${sanitizeText(config.out)}\n`)
      if (damaged === 0) return 0
      const skipped = pluralize(damaged, 'damaged record')
      const next = formatCommand(io.program, 'archive verify', config)
      throw new AppError(
        'ARCHIVE_BROKEN',
        `The export is complete except for ${skipped}. Check the archive with: ${next}`,
      )
    })
  },
}

async function downloadExport(client: Client, id: string, config: Config, io: Io): Promise<number> {
  const params = { crawl_id: await findCrawlId(client, id) }
  const { body } = await client.exportCrawl({ params, query: { format: config.format } })
  const counter = new StreamCounter()
  const progress = showProgress(config, io, () => formatBytes(counter.bytes))
  try {
    await writeChunks(counter.countBytes(toBuffers(body)), config.out ?? io.stdout)
  } finally {
    progress.end()
  }
  if (config.out !== null) io.stderr.write(`Wrote ${formatBytes(counter.bytes)} to ${sanitizeText(config.out)}\n`)
  return 0
}

/** Shown on a terminal if the export goes to a file. */
function showProgress(config: Config, io: Io, text: () => string): { clear(): void; end(): void } {
  const line = openProgressLine(io)
  const stop = config.out === null ? null : repeat(systemClock, PROGRESS_INTERVAL_MS, () => line.show(text()))
  return {
    clear: line.clear,
    end() {
      stop?.()
      line.clear()
    },
  }
}

async function* toBuffers(body: Response['body']): AsyncGenerator<Buffer> {
  if (body !== null) for await (const chunk of body) yield Buffer.from(chunk)
}

const FORMAT_NOUNS: Record<ExportFormat, string> = {
  jsonl: 'URL',
  json: 'URL',
  csv: 'URL',
  sqlite: 'URL',
  graphml: 'URL',
  neo4j: 'URL',
  cypher: 'URL',
  edges: 'link',
  warc: 'record',
  wacz: 'page version',
  'pages.jsonl': 'page',
  markdown: 'page',
  'chunks.jsonl': 'chunk',
}

const BINARY_FORMATS: Partial<Record<ExportFormat, { name: string; file: string }>> = {
  warc: { name: 'WARC', file: 'crawl.warc.gz' },
  wacz: { name: 'WACZ', file: 'crawl.wacz' },
  sqlite: { name: 'The SQLite file', file: 'crawl.sqlite' },
  neo4j: { name: 'The zip file for Neo4j', file: 'crawl.zip' },
  markdown: { name: 'The zip file of Markdown pages', file: 'crawl.zip' },
}

/** These formats contain no link ranks. */
const PAGE_FORMATS: readonly ExportFormat[] = ['edges', 'warc', 'wacz', 'pages.jsonl', 'markdown', 'chunks.jsonl']
/** Formats whose progress counts output items; for the others, input rows or versions are counted. */
const COUNTED_BY_OUTPUT: readonly ExportFormat[] = ['warc', 'pages.jsonl', 'chunks.jsonl']

interface CountedExportSource {
  reader: ReadSession
  crawl: Crawl
  counter: StreamCounter
  onDamaged: (what: string) => void
  search: LinkRankSource | null
}

function countedChunks(format: ExportFormat, from: CountedExportSource): AsyncGenerator<string | Buffer> {
  const { reader, crawl, counter, onDamaged, search } = from
  const pageSource = {
    ...reader,
    crawl,
    onDamaged,
    readPage: (version: PageVersion) => readArchivedPage(version, reader),
    scratchFolder: tmpdir(),
    now: () => systemClock.now(),
  }
  const source = { ...pageSource, search, rows: reader.urls.rows(crawl.id) }
  if (COUNTED_BY_OUTPUT.includes(format)) return counter.countItems(streamExport(format, source))
  if (format === 'wacz') {
    const find = (id: number) => reader.pages.find(id)
    const dataOfUrls: Pages['dataOfUrls'] = (id, urls) => reader.pages.dataOfUrls(id, urls)
    const dataOfCrawl: Pages['dataOfCrawl'] = (id) => reader.pages.dataOfCrawl(id)
    const listByCrawl = (id: string) => counter.countItems(onlyArchived(reader.pages.listByCrawl(id)))
    return streamExport(format, { ...source, pages: { find, dataOfUrls, dataOfCrawl, listByCrawl } })
  }
  if (format === 'markdown') {
    const readPage = async (version: PageVersion) => {
      const page = await source.readPage(version)
      if (hasText(page)) counter.items += 1
      return page
    }
    return streamExport(format, { ...source, readPage })
  }
  if (format === 'edges') {
    const edges = (id: string) => counter.countItems(reader.urls.edges(id))
    return streamExport(format, { ...source, urls: { edges, urlsOf: (id, ids) => reader.urls.urlsOf(id, ids) } })
  }
  return streamExport(format, { ...source, rows: counter.countItems(source.rows) })
}

async function* onlyArchived(versions: AsyncIterable<PageVersion>): AsyncGenerator<PageVersion> {
  for await (const version of versions) if (version.isArchived) yield version
}
