import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import type { PatternRow, PatternState } from '../../ports/patterns.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits, pluralize } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

const STATE_LABELS: Record<PatternState, string> = {
  open: 'proven',
  slowed: 'on trial',
  capped: 'excluded',
  released: 'released',
}

const COLUMNS: TableColumn<PatternRow>[] = [
  { title: 'pattern', align: 'left', value: (row) => row.pattern, isFlexible: true },
  { title: 'state', align: 'left', value: (row) => STATE_LABELS[row.state] },
  { title: 'visits', align: 'right', value: (row) => groupDigits(row.visits), dropAs: 2 },
  { title: 'nothing new', align: 'right', value: (row) => groupDigits(row.fruitless), dropAs: 1 },
  { title: 'excluded', align: 'right', value: (row) => groupDigits(row.excludedUrls) },
  { title: 'example', align: 'left', value: (row) => row.example ?? '', dropAs: 3 },
]

export const traps: Command = {
  usage: '<id>',
  help: 'List the URL patterns excluded as spider traps or on trial, or release one with --release.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json', 'release'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    if (config.release !== null) return release(config, id, config.release, io)
    return withReadSession(config, io, async (readSession) => {
      const crawl = await readSession.crawls.find(id)
      const rows = await readSession.diagnostics.patterns(crawl.id)
      if (config.json) for (const row of rows) io.stdout.write(jsonLine(toJson(row)))
      else if (rows.length === 0) io.stdout.write('No URL pattern was excluded as a spider trap.\n')
      else io.stdout.write(`${tableLines(COLUMNS, rows, outputWidth(io.stdout)).join('\n')}\n`)
      return 0
    })
  },
}

/** The same names as in the API. */
function toJson({ pattern, state, visits, fruitless, excludedUrls, example }: PatternRow): object {
  return { pattern, state, visits, fruitless, saved: excludedUrls, example }
}

async function release(config: Config, id: string, pattern: string, io: Io): Promise<number> {
  const controlSession = await io.openControlSession(config, false)
  try {
    const crawl = await controlSession.crawls.find(id)
    const freed = await controlSession.crawls.releasePattern(crawl.id, pattern)
    const next =
      freed > 0 ? ` Visit them with: ${formatCommand(io.program, `resume ${crawl.id.slice(0, 8)}`, config)}` : ''
    io.stdout.write(`Released: ${pluralize(freed, 'URL')} queued again.${next}\n`)
    return 0
  } finally {
    await controlSession.close()
  }
}
