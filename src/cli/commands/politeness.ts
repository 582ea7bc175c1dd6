import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits } from '../format/units.ts'
import type { Command } from '../io.ts'
import { type Politeness, withReadClient } from '../read-client/read-client.ts'
import { requireCrawlId } from '../required-arguments.ts'

export const politeness: Command = {
  usage: '<id>',
  help: 'Show requests, gaps and robots.txt of each host of a crawl.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'json'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    const rows = await withReadClient(config, io, async (client) =>
      Array.fromAsync(client.listPoliteness(await client.findCrawlId(id))),
    )
    if (config.json) for (const row of rows) io.stdout.write(jsonLine(toJson(row)))
    else io.stdout.write(`${tableLines(columnsFor(rows), rows, outputWidth(io.stdout)).join('\n')}\n`)
    return 0
  },
}

const formatMs = (value: number | null) => (value === null ? '-' : `${groupDigits(value)} ms`)

/** The concurrency limit learned from the host's refusals. */
const formatLimit = ({ concurrency_limit: limit }: Politeness) =>
  limit === null ? '-' : `${groupDigits(limit)} at a time`

const RENDERING = 'rendering'

const COLUMNS: TableColumn<Politeness>[] = [
  { title: 'host', align: 'left', value: (row) => row.host, isFlexible: true },
  { title: 'requests', align: 'right', value: (row) => groupDigits(row.requests) },
  { title: RENDERING, align: 'right', value: (row) => groupDigits(row.subrequests), dropAs: 6 },
  { title: 'peak', align: 'right', value: (row) => groupDigits(row.peak), dropAs: 4 },
  { title: 'smallest gap', align: 'right', value: (row) => formatMs(row.smallest_gap_ms) },
  { title: 'gap now', align: 'right', value: (row) => formatMs(row.gap_ms), dropAs: 3 },
  { title: 'limit', align: 'right', value: (row) => formatLimit(row), dropAs: 2 },
  { title: 'Crawl-delay', align: 'right', value: (row) => formatMs(row.crawl_delay_ms), dropAs: 2 },
  { title: 'denied', align: 'right', value: (row) => groupDigits(row.denied), dropAs: 5 },
  { title: 'policy', align: 'left', value: (row) => row.policy ?? '-', dropAs: 2 },
  { title: 'robots.txt', align: 'left', value: (row) => row.robots, dropAs: 1 },
]

/** Requests of rendered pages, if there are any. */
function columnsFor(rows: Politeness[]): TableColumn<Politeness>[] {
  const hasRendered = rows.some(({ subrequests }) => subrequests > 0)
  return hasRendered ? COLUMNS : COLUMNS.filter(({ title }) => title !== RENDERING)
}

function toJson({ peak, ...row }: Politeness): object {
  return { ...row, peak_concurrency: peak }
}
