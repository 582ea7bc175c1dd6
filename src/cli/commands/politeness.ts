import { PolicyTable } from '../../config/policies/policy-table.ts'
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
  /** What the policies of hosts decide. */
  policy: string
}

export const politeness: Command = {
  usage: '<id>',
  help: 'Show how politely a crawl treated each host: requests, gaps, robots.txt.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    return withReadSession(config, io, async (readSession) => {
      const crawl = await readSession.crawls.find(id)
      const rows: Row[] = []
      const table = new PolicyTable(await readSession.policies.list())
      for await (const host of readSession.diagnostics.politeness(crawl.id))
        rows.push(toRow(host, crawl.settings, table))
      if (config.json) for (const row of rows) io.stdout.write(jsonLine(toJson(row)))
      else io.stdout.write(`${tableLines(columnsFor(rows), rows, outputWidth(io.stdout)).join('\n')}\n`)
      return 0
    })
  },
}

const formatMs = (value: number | null) => (value === null ? '-' : `${groupDigits(value)} ms`)

/** The concurrency limit learned from the host's refusals. */
const formatLimit = ({ concurrencyLimit }: Row) =>
  concurrencyLimit === null ? '-' : `${groupDigits(concurrencyLimit)} at a time`

const RENDERING = 'rendering'

const COLUMNS: TableColumn<Row>[] = [
  { title: 'host', align: 'left', value: (row) => row.host, isFlexible: true },
  { title: 'requests', align: 'right', value: (row) => groupDigits(row.requests) },
  { title: RENDERING, align: 'right', value: (row) => groupDigits(row.subrequests), dropAs: 6 },
  { title: 'peak', align: 'right', value: (row) => groupDigits(row.peak), dropAs: 4 },
  { title: 'smallest gap', align: 'right', value: (row) => formatMs(row.smallestGapMs) },
  { title: 'gap now', align: 'right', value: (row) => formatMs(row.gapMs), dropAs: 3 },
  { title: 'limit', align: 'right', value: (row) => formatLimit(row), dropAs: 2 },
  { title: 'Crawl-delay', align: 'right', value: (row) => formatMs(row.crawlDelayMs), dropAs: 2 },
  { title: 'denied', align: 'right', value: (row) => groupDigits(row.denied), dropAs: 5 },
  { title: 'policy', align: 'left', value: (row) => row.policy, dropAs: 2 },
  { title: 'robots.txt', align: 'left', value: (row) => row.rules, dropAs: 1 },
]

/** Requests of rendered pages, if there are any. */
function columnsFor(rows: Row[]): TableColumn<Row>[] {
  const hasRendered = rows.some(({ subrequests }) => subrequests > 0)
  return hasRendered ? COLUMNS : COLUMNS.filter(({ title }) => title !== RENDERING)
}

function toRow(host: HostPoliteness, { userAgent, perHost }: CrawlSettings, table: PolicyTable): Row {
  const delays = host.robots.flatMap(({ body }) => {
    const delay = body === null ? null : compileRobots(parseRobots(Buffer.from(body)), userAgent).crawlDelayMs
    return delay === null ? [] : [delay]
  })
  const crawlDelayMs = delays.length === 0 ? null : Math.max(...delays)
  return {
    ...host,
    concurrencyLimit: concurrencyLimitBelow(perHost, host),
    crawlDelayMs,
    rules: describeRules(host),
    policy: describePatterns(table, host.host),
  }
}

/** The patterns of the policies that apply. */
function describePatterns(table: PolicyTable, host: string): string {
  const patterns = Object.values(table.resolve(host)?.patterns ?? {})
  return patterns.length === 0 ? '-' : [...new Set(patterns)].join(', ')
}

function describeRules({ robots }: HostPoliteness): string {
  if (robots.length === 0) return 'not read'
  return [...new Set(robots.map((copy) => copy.problem ?? (copy.body === null ? 'no rules' : 'rules')))].join(', ')
}

function toJson(row: Row): object {
  return {
    host: row.host,
    requests: row.requests,
    subrequests: row.subrequests,
    peak_concurrency: row.peak,
    concurrency_limit: row.concurrencyLimit,
    smallest_gap_ms: row.smallestGapMs,
    gap_ms: row.gapMs,
    crawl_delay_ms: row.crawlDelayMs,
    denied: row.denied,
    robots: row.rules,
    policy: row.policy === '-' ? null : row.policy,
  }
}
