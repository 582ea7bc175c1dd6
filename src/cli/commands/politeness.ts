import { jsonLine } from '../../engine/export/jsonl.ts'
import { compileRobots } from '../../engine/robots/compile-robots.ts'
import { parseRobots } from '../../engine/robots/parse-robots.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { concurrencyLimitBelow, type HostPoliteness } from '../../ports/diagnostics.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits } from '../format/units.ts'
import type { Command } from '../io.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

interface Row extends HostPoliteness {
  crawlDelayMs: number | null
  rules: string
}

export const politeness: Command = {
  usage: '<id>',
  help: 'Show how a crawl treated each host.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    return withReadSession(config, io, async (readSession) => {
      const crawl = await readSession.crawls.find(id)
      const rows: Row[] = []
      for await (const manners of readSession.diagnostics.politeness(crawl.id))
        rows.push(toRow(manners, crawl.settings))
      if (config.json) for (const row of rows) io.stdout.write(jsonLine(toJson(row)))
      else io.stdout.write(`${tableLines(COLUMNS, rows, outputWidth(io.stdout)).join('\n')}\n`)
      return 0
    })
  },
}

const ms = (value: number | null) => (value === null ? '-' : `${groupDigits(value)} ms`)

/** Requests at a time that the host takes, if it has refused more. */
const limitOf = ({ concurrencyLimit }: Row) =>
  concurrencyLimit === null ? '-' : `${groupDigits(concurrencyLimit)} at a time`

const COLUMNS: TableColumn<Row>[] = [
  { title: 'host', align: 'left', value: (row) => row.host, isFlexible: true },
  { title: 'urls asked', align: 'right', value: (row) => groupDigits(row.requests) },
  { title: 'at a time', align: 'right', value: (row) => groupDigits(row.peak), dropAs: 4 },
  { title: 'smallest gap', align: 'right', value: (row) => ms(row.smallestGapMs) },
  { title: 'gap now', align: 'right', value: (row) => ms(row.gapMs), dropAs: 3 },
  { title: 'takes', align: 'right', value: (row) => limitOf(row), dropAs: 2 },
  { title: 'Crawl-delay', align: 'right', value: (row) => ms(row.crawlDelayMs), dropAs: 2 },
  { title: 'denied', align: 'right', value: (row) => groupDigits(row.denied), dropAs: 5 },
  { title: 'robots.txt', align: 'left', value: (row) => row.rules, dropAs: 1 },
]

function toRow(manners: HostPoliteness, { userAgent, perHost }: CrawlSettings): Row {
  const delays = manners.robots.flatMap(({ body }) => {
    const delay = body === null ? null : compileRobots(parseRobots(Buffer.from(body)), userAgent).crawlDelayMs
    return delay === null ? [] : [delay]
  })
  const crawlDelayMs = delays.length === 0 ? null : Math.max(...delays)
  return {
    ...manners,
    concurrencyLimit: concurrencyLimitBelow(perHost, manners),
    crawlDelayMs,
    rules: describeRules(manners),
  }
}

function describeRules({ robots }: HostPoliteness): string {
  if (robots.length === 0) return 'not read'
  return [...new Set(robots.map((copy) => copy.problem ?? (copy.body === null ? 'no rules' : 'rules')))].join(', ')
}

function toJson(row: Row): object {
  return {
    host: row.host,
    requests: row.requests,
    peak_concurrency: row.peak,
    concurrency_limit: row.concurrencyLimit,
    smallest_gap_ms: row.smallestGapMs,
    gap_ms: row.gapMs,
    crawl_delay_ms: row.crawlDelayMs,
    denied: row.denied,
    robots: row.rules,
  }
}
