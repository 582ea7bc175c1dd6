import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import type { PatternRow } from '../../ports/patterns.ts'
import { type TableColumn, tableLines, widthOf } from '../format/table.ts'
import { commandLine } from '../hint.ts'
import type { Command, Io } from '../io.ts'
import { grouped, plural } from '../live/units.ts'
import { requiredId } from '../required.ts'
import { withReader } from '../with-reader.ts'

const COLUMNS: TableColumn<PatternRow>[] = [
  { title: 'pattern', align: 'left', value: (row) => row.pattern, isFlexible: true },
  { title: 'state', align: 'left', value: (row) => row.state },
  { title: 'tried', align: 'right', value: (row) => grouped(row.visits), dropAs: 2 },
  { title: 'nothing new', align: 'right', value: (row) => grouped(row.fruitless), dropAs: 1 },
  { title: 'excluded', align: 'right', value: (row) => grouped(row.saved) },
  { title: 'example', align: 'left', value: (row) => row.example ?? '', dropAs: 3 },
]

export const traps: Command = {
  usage: '<id>',
  help: 'List URL patterns that were excluded as traps or are on trial, or release one with --release.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json', 'release'],
  async run(config, args, io) {
    const id = requiredId(args, config, io)
    if (config.release !== null) return release(config, id, config.release, io)
    return withReader(config, io, async (reader) => {
      const crawl = await reader.crawls.find(id)
      const rows = await reader.manners.patterns(crawl.id)
      if (config.json) for (const row of rows) io.stdout.write(jsonLine(row))
      else if (rows.length === 0) io.stdout.write('No URL pattern was excluded as a trap.\n')
      else io.stdout.write(`${tableLines(COLUMNS, rows, widthOf(io.stdout)).join('\n')}\n`)
      return 0
    })
  },
}

async function release(config: Config, id: string, pattern: string, io: Io): Promise<number> {
  const workshop = await io.openWorkshop(config, false)
  try {
    const crawl = await workshop.crawls.find(id)
    const freed = await workshop.crawls.releasePattern(crawl.id, pattern)
    const next =
      freed > 0 ? ` Visit them with: ${commandLine(io.program, `resume ${crawl.id.slice(0, 8)}`, config)}` : ''
    io.stdout.write(`Released: ${plural(freed, 'URL')} queued again.${next}\n`)
    return 0
  } finally {
    await workshop.close()
  }
}
