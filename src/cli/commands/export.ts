import { chunksOf } from '../../engine/export/chunks-of.ts'
import type { ExportFormat } from '../../engine/export/formats.ts'
import type { RankSource } from '../../engine/export/ranks.ts'
import { readPage } from '../../engine/pages/read.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { Tally } from '../format/tally.ts'
import { writeChunks } from '../format/write.ts'
import { commandLine } from '../hint.ts'
import type { Command, Reader } from '../io.ts'
import { bytes, clean, plural } from '../live/units.ts'
import { requiredId } from '../required.ts'
import { withReader } from '../with-reader.ts'

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
    const id = requiredId(args, config, io)
    return withReader(config, io, async (reader) => {
      const crawl = await reader.crawls.find(id)
      const tally = new Tally()
      let damaged = 0
      const onDamaged = (what: string) => {
        damaged += 1
        io.stderr.write(`Damaged, left out: ${clean(what)}\n`)
      }
      const search = OF_PAGES.includes(config.format) ? null : await io.openSearch(config, reader.pages)
      try {
        const source = { reader, crawl, tally, onDamaged, search: search?.index ?? null }
        await writeChunks(tally.ofBytes(counted(config.format, source)), config.out ?? io.stdout)
      } finally {
        await search?.close()
      }
      if (config.out !== null) {
        const what = plural(tally.things, NOUNS[config.format])
        io.stderr.write(`Wrote ${what} (${bytes(tally.bytes)}) to ${clean(config.out)}\n`)
      }
      if (damaged === 0) return 0
      const what = `${plural(damaged, 'damaged record')} of the archive left out`
      const next = commandLine(io.program, 'archive verify', config)
      throw new AppError('ARCHIVE_BROKEN', `The export is done, with ${what}. Look closer with: ${next}`)
    })
  },
}

const NOUNS: Record<ExportFormat, string> = {
  jsonl: 'url',
  json: 'url',
  csv: 'url',
  graphml: 'url',
  warc: 'record',
  'pages.jsonl': 'page',
}

/** Of these the pieces are counted, of the others the rows they are made from. */
const OF_PAGES: readonly ExportFormat[] = ['warc', 'pages.jsonl']

interface Source {
  reader: Reader
  crawl: Crawl
  tally: Tally
  onDamaged: (what: string) => void
  search: RankSource | null
}

function counted(format: ExportFormat, from: Source): AsyncGenerator<string | Buffer> {
  const { reader, crawl, tally, onDamaged, search } = from
  const ofPages = { ...reader, crawl, onDamaged, readPage: (version: PageVersion) => readPage(version, reader) }
  const source = { ...ofPages, search, rows: reader.urls.rows(crawl.id) }
  if (OF_PAGES.includes(format)) return tally.ofThings(chunksOf(format, source))
  return chunksOf(format, { ...source, rows: tally.ofThings(source.rows) })
}
