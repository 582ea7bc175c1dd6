import type { ExportFormat } from '../../config/values/export-formats.ts'
import { streamExport } from '../../engine/export/stream-export.ts'
import type { LinkRankSource } from '../../engine/export/with-link-ranks.ts'
import { readPage } from '../../engine/pages/read-page.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { StreamCounter } from '../files/stream-counter.ts'
import { writeChunks } from '../files/write-chunks.ts'
import { formatCommand } from '../format/format-command.ts'
import { formatBytes, pluralize, sanitizeText } from '../format/units.ts'
import type { Command, ReadSession } from '../io.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

export const exportUrls: Command = {
  usage: '<id>',
  help: 'Write the urls or the pages of a crawl to a file or to standard output.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'healthSecret', 'format', 'out'],
  async run(config, args, io) {
    if (config.format === 'warc' && config.out === null && io.stdout.isTTY) {
      throw new AppError(
        'USAGE',
        'WARC is gzipped and no text: name a file, such as --out crawl.warc.gz, or use a pipe.',
      )
    }
    const id = requireCrawlId(args, config, io)
    return withReadSession(config, io, async (readSession) => {
      const crawl = await readSession.crawls.find(id)
      const streamCounter = new StreamCounter()
      let damaged = 0
      const onDamaged = (what: string) => {
        damaged += 1
        io.stderr.write(`Damaged, left out: ${sanitizeText(what)}\n`)
      }
      const search = PAGE_FORMATS.includes(config.format) ? null : await io.openSearchIndex(config, readSession.pages)
      try {
        const source = { reader: readSession, crawl, tally: streamCounter, onDamaged, search: search?.index ?? null }
        await writeChunks(streamCounter.countBytes(countedChunks(config.format, source)), config.out ?? io.stdout)
      } finally {
        await search?.close()
      }
      if (config.out !== null) {
        const what = pluralize(streamCounter.items, FORMAT_NOUNS[config.format])
        io.stderr.write(`Wrote ${what} (${formatBytes(streamCounter.bytes)}) to ${sanitizeText(config.out)}\n`)
      }
      if (damaged === 0) return 0
      const what = `${pluralize(damaged, 'damaged record')} of the archive left out`
      const next = formatCommand(io.program, 'archive verify', config)
      throw new AppError('ARCHIVE_BROKEN', `The export is done, with ${what}. Look closer with: ${next}`)
    })
  },
}

const FORMAT_NOUNS: Record<ExportFormat, string> = {
  jsonl: 'url',
  json: 'url',
  csv: 'url',
  graphml: 'url',
  warc: 'record',
  'pages.jsonl': 'page',
}

/** Of these the pieces are counted, of the others the rows they are made from. */
const PAGE_FORMATS: readonly ExportFormat[] = ['warc', 'pages.jsonl']

interface CountedExportSource {
  reader: ReadSession
  crawl: Crawl
  tally: StreamCounter
  onDamaged: (what: string) => void
  search: LinkRankSource | null
}

function countedChunks(format: ExportFormat, from: CountedExportSource): AsyncGenerator<string | Buffer> {
  const { reader, crawl, tally, onDamaged, search } = from
  const ofPages = { ...reader, crawl, onDamaged, readPage: (version: PageVersion) => readPage(version, reader) }
  const source = { ...ofPages, search, rows: reader.urls.rows(crawl.id) }
  if (PAGE_FORMATS.includes(format)) return tally.countItems(streamExport(format, source))
  return streamExport(format, { ...source, rows: tally.countItems(source.rows) })
}
