// A database as the source of a transfer: no other process uses it, and it is read in one snapshot.

import { mergedStateSql } from '../../frontier/judge-pattern.ts'
import { TERMINAL_STATES } from '../../lib/states.ts'
import { type TransferRow, type TransferSource, type TransferTable, transferColumns } from '../../ports/transfer.ts'
import type { TransferColumnType } from '../../ports/transfer-tables/columns.ts'
import { IN_PROGRESS, QUEUED } from '../encoding/state-codes.ts'
import { checkVersion } from '../postgres/migrate.ts'
import type { Connections } from '../postgres/query.ts'
import { BEGIN_LONG_READ, streamRows } from '../postgres/snapshot.ts'
import { storeLocation } from '../postgres/store-errors.ts'
import { batchRows } from './batch-rows.ts'
import { assertNotInUse, connectExclusively, type ExclusiveConnection } from './postgres-exclusive-connection.ts'
import { SHARED_TABLE_QUERIES, type TableQuery } from './table-queries.ts'

const COUNTERS = [
  ...TERMINAL_STATES,
  'open',
  'open_revisits',
  'known_pages',
  'sitemaps',
  'sitemaps_found',
  'requisites',
  'bytes',
  'late_reports',
]
const SUMS = COUNTERS.map((name) => `coalesce(sum(n.${name}), 0)::bigint as ${name}`).join(', ')

/** The rows of all workers summed up, as for readers. */
const SUMMED = {
  counters: `(select c.id as crawl, ${SUMS} from crawls c left join counters n on n.crawl = c.id group by c.id) t`,
  rejections: '(select crawl, reason, sum(count)::bigint as count from rejections group by crawl, reason) t',
  host_requests: `(select crawl, host, sum(sent)::bigint as sent, sum(rendered)::bigint as rendered
    from host_requests group by crawl, host) t`,
  patterns: `(select crawl, pattern, sum(visits)::bigint as visits, sum(fruitless)::bigint as fruitless,
      ${mergedStateSql()} as state
    from patterns group by crawl, pattern) t`,
}

/**
 * Leases are not transferred. A host that was leased when its process was killed may have been requested since its last
 * report (G5).
 */
const LAST_USED_AT = 'greatest(t.next_at, (select max(l.renewed_at) from leases l where l.host = t.id))'

const BY_URL = 't.crawl, t.url_id'

const TABLE_QUERIES: Record<TransferTable, TableQuery> = {
  ...SHARED_TABLE_QUERIES,
  counters: { from: SUMMED.counters, order: 't.crawl' },
  hosts: { from: 'hosts t', columns: { next_at: LAST_USED_AT }, order: 't.id' },
  urls: {
    from: 'urls t',
    columns: { state: `case when t.state = ${IN_PROGRESS} then ${QUEUED} else t.state end` },
    order: 't.crawl, t.id',
  },
  visits: { from: 'visits t', order: `${BY_URL}, t.attempt` },
  links: { from: 'links t', order: BY_URL },
  beyond: { from: 'beyond t', order: BY_URL },
  held_urls: { from: 'held_urls t', order: 't.crawl, t.pattern, t.key' },
  trial_visits: { from: 'trial_visits t', order: BY_URL },
  ancestry: { from: 'ancestry t', order: BY_URL },
  detours: { from: 'detours t', order: BY_URL },
  listings: { from: 'listings t', order: BY_URL },
  script_urls: { from: 'script_urls t', order: BY_URL },
  revisits: { from: 'revisits t', order: BY_URL },
  changes: { from: 'changes t', order: 't.id' },
  patterns: { from: SUMMED.patterns, order: 't.crawl, t.pattern' },
  rejections: { from: SUMMED.rejections, order: 't.crawl, t.reason' },
  host_requests: { from: SUMMED.host_requests, order: 't.crawl, t.host' },
  contents: { from: 'contents t', order: 't.segment, t."offset"' },
  pages: { from: 'pages t', order: 't.id' },
  fingerprints: { from: 'fingerprints t', order: 't.quarter, t.page' },
  page_ids: { from: `(select next - 1 as last from blocks where name = 'page') t`, order: 't.last' },
}

/** Tables with long rows, fetched a few at a time. */
const LONG_ROWS: readonly TransferTable[] = [
  'links',
  'beyond',
  'detours',
  'robots',
  'monitor_documents',
  'audit_findings',
]
const FETCH = 1000
const FETCH_LONG = 50

/** Pages with their record or payload in one of these segments. */
const PAGES_IN = `with wanted as (select id from segments where name = any($1::text[]))
  select count(*) as n from pages p left join contents k on k.digest = p.content
  where p.segment in (select id from wanted) or k.segment in (select id from wanted)`

export async function openSource(url: string): Promise<TransferSource> {
  const connection = await connectExclusively(url, false)
  try {
    await checkVersion(connection.db)
    await assertNotInUse(connection.db, url)
    await connection.db.query({ text: BEGIN_LONG_READ })
    return new PostgresSource(url, connection)
  } catch (error) {
    await connection.close()
    throw error
  }
}

class PostgresSource implements TransferSource {
  readonly place: string
  readonly #connection: ExclusiveConnection

  constructor(url: string, connection: ExclusiveConnection) {
    this.place = storeLocation(url)
    this.#connection = connection
  }

  read(table: TransferTable): AsyncGenerator<TransferRow[]> {
    return batchRows(readRows(this.#connection.db, table))
  }

  async segments(): Promise<string[]> {
    const { rows } = await this.#connection.db.query({
      text: 'select name from segments where not is_forgotten order by id',
    })
    return rows.map((row) => String(row['name']))
  }

  async countPagesIn(segments: string[]): Promise<number> {
    const [row] = (await this.#connection.db.query({ text: PAGES_IN, values: [segments] })).rows
    return Number(row?.['n'])
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }
}

/** Inside a transaction. */
export async function* readRows(db: Connections, table: TransferTable): AsyncGenerator<TransferRow> {
  const { from, columns = {}, order } = TABLE_QUERIES[table]
  const list = transferColumns(table).map(
    ([name, kind]) => `${castColumn(columns[name] ?? `t."${name}"`, kind)} as "${name}"`,
  )
  const text = `select ${list.join(', ')} from ${from} order by ${order}`
  const fetch = LONG_ROWS.includes(table) ? FETCH_LONG : FETCH
  for await (const row of streamRows(await db.connect(), { text }, fetch)) yield row as TransferRow
}

function castColumn(place: string, kind: TransferColumnType): string {
  switch (kind) {
    case 'wide':
      return `(${place})::text`
    case 'flag':
      return `(${place})::int`
    default:
      return place
  }
}
