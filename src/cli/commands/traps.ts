import type { ClientResponse } from '../../api/client.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import type { PatternState } from '../../ports/patterns.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits, pluralize } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { withReadClient } from '../read-client/read-client.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { changeCrawl } from './control.ts'

const MAX_SHOWN = 30

type PatternRow = ClientResponse<'listTraps'>['items'][number]

const STATE_LABELS: Record<PatternState, string> = {
  open: 'has new content',
  slowed: 'on trial',
  capped: 'excluded',
  released: 'released',
}

const COLUMNS: TableColumn<PatternRow>[] = [
  { title: 'pattern', align: 'left', value: (row) => row.pattern, isFlexible: true },
  { title: 'state', align: 'left', value: (row) => STATE_LABELS[row.state] },
  { title: 'visits', align: 'right', value: (row) => groupDigits(row.visits), dropAs: 2 },
  { title: 'nothing new', align: 'right', value: (row) => groupDigits(row.fruitless), dropAs: 1 },
  { title: 'excluded', align: 'right', value: (row) => groupDigits(row.saved) },
  { title: 'example', align: 'left', value: (row) => row.example ?? '', dropAs: 3 },
]

export const traps: Command = {
  usage: '<id>',
  help: 'List URL patterns excluded as spider traps or on trial. --release has one visited after all.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'json', 'release'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    if (config.release !== null) return release(config, id, config.release, io)
    const { items: rows } = await withReadClient(config, io, async (client) =>
      client.listTraps({ params: { crawl_id: await client.findCrawlId(id) } }),
    )
    if (config.json) for (const row of rows) io.stdout.write(jsonLine(row))
    else if (rows.length === 0) io.stdout.write('No URL pattern was excluded as a spider trap.\n')
    else {
      const lines = tableLines(COLUMNS, rows.slice(0, MAX_SHOWN), outputWidth(io.stdout))
      const left = rows.length - MAX_SHOWN
      if (left > 0) lines.push(`${pluralize(left, 'more pattern')}; --json prints all of them.`)
      io.stdout.write(`${lines.join('\n')}\n`)
    }
    return 0
  },
}

function release(config: Config, id: string, pattern: string, io: Io): Promise<number> {
  return changeCrawl(config, [id], io, async (changes, crawlId) => {
    const freed = await changes.releasePattern(crawlId, pattern)
    const resume = formatCommand(io.program, `resume ${crawlId.slice(0, 8)}`, config)
    return `Released: ${pluralize(freed, 'URL')} queued again.${freed > 0 ? ` Visit them with: ${resume}` : ''}`
  })
}
