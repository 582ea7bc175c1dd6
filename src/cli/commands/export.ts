import type { ExportFormat } from '../../config/values/export-formats.ts'
import { streamExport } from '../../engine/export/stream-export.ts'
import type { LinkRankSource } from '../../engine/export/with-link-ranks.ts'
import { readArchivedPage } from '../../engine/pages/read-archived-page.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { StreamCounter } from '../files/stream-counter.ts'
import { refuseExistingFile, writeChunks } from '../files/write-chunks.ts'
import { formatCommand } from '../format/format-command.ts'
import { formatBytes, pluralize, sanitizeText } from '../format/units.ts'
import type { Command, ReadSession } from '../io.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

export const exportUrls: Command = {
  usage: '<id>',
  help: 'Export the URLs or pages of a crawl to a file or standard output.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'healthSecret', 'format', 'out', 'force'],
  async run(config, args, io) {
    if (config.format === 'warc' && config.out === null && io.stdout.isTTY) {
      throw new AppError(
        'USAGE',
        'WARC is binary: write it to a file, for example with --out crawl.warc.gz, or to a pipe.',
      )
    }
    const id = requireCrawlId(args, config, io)
    if (config.out !== null && !config.force) await refuseExistingFile(config.out)
    return withReadSession(config, io, async (readSession) => {
      const crawl = await readSession.crawls.find(id)
      const streamCounter = new StreamCounter()
      let damaged = 0
      const onDamaged = (what: string) => {
        damaged += 1
        io.stderr.write(`Skipped a damaged record: ${sanitizeText(what)}\n`)
      }
      const search = PAGE_FORMATS.includes(config.format) ? null : await io.openSearchIndex(config, readSession.pages)
      try {
        const source = { reader: readSession, crawl, counter: streamCounter, onDamaged, search: search?.index ?? null }
        await writeChunks(streamCounter.countBytes(countedChunks(config.format, source)), config.out ?? io.stdout)
      } finally {
        await search?.close()
      }
      if (config.out !== null) {
        const what = pluralize(streamCounter.items, FORMAT_NOUNS[config.format])
        io.stderr.write(`Wrote ${what} (${formatBytes(streamCounter.bytes)}) to ${sanitizeText(config.out)}\n`)
      }
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

const FORMAT_NOUNS: Record<ExportFormat, string> = {
  jsonl: 'URL',
  json: 'URL',
  csv: 'URL',
  graphml: 'URL',
  warc: 'record',
  'pages.jsonl': 'page',
}

/** For these formats the output items are counted, for the others the input rows. */
const PAGE_FORMATS: readonly ExportFormat[] = ['warc', 'pages.jsonl']

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
  }
  const source = { ...pageSource, search, rows: reader.urls.rows(crawl.id) }
  if (PAGE_FORMATS.includes(format)) return counter.countItems(streamExport(format, source))
  return streamExport(format, { ...source, rows: counter.countItems(source.rows) })
}
