// Browsing on Postgres.

import { emptyLedger, TERMINAL_STATES } from '../../lib/states.ts'
import type { Browse } from '../../ports/browse.ts'
import { crawlNotFoundError } from '../crawls/crawl-row.ts'
import { type Connections, toPostgresText } from '../postgres/query.ts'
import { readInSnapshot } from '../postgres/snapshot.ts'
import { LEASED_BY } from '../urls/postgres.ts'
import { makeBrowse } from './browse.ts'
import { type BrowseDb, type CrawlLedger, crawlVersion, type SqlDialect } from './browse-db.ts'

const DIALECT: SqlDialect = {
  urls: 'urls u',
  problemUrls: 'urls u',
  ofUrl: (alias) => `${alias}.crawl = u.crawl and ${alias}.host = u.host and ${alias}.url_id = u.id`,
  leasedBy: LEASED_BY,
  bytewise: (text) => `${text} collate "C"`,
  isLike: (text, pattern) => `lower(${text} collate "C") like ${pattern} escape '\\'`,
  // Not `= any`: without statistics the planner would rather read a whole crawl than look up a thousand ids.
  isIn: (value, list, of) => `${value} in (select unnest(${list}::${of === 'number' ? 'bigint' : 'text'}[]))`,
  list: (values) => values.map(String),
  containsBytes: (bytes, part) => `position(${part}::bytea in ${bytes}) > 0`,
}

const SUMS = [...TERMINAL_STATES, 'open', 'in_progress', 'bytes'].map(
  (name) => `coalesce(sum(n.${name}), 0)::bigint as ${name}`,
)
const CRAWL = `select c.id, c.status, c.active_ms, ${SUMS.join(', ')} from crawls c left join counters n on n.crawl = c.id
  where c.uuid = $1 group by c.id, c.status, c.active_ms`

export function openBrowse(db: Connections, now: () => number): Browse {
  return makeBrowse(browseDb(db, now))
}

function browseDb(db: Connections, now: () => number): BrowseDb {
  return {
    dialect: DIALECT,
    rows: async (text, values) => (await db.query({ text, values: toPostgresValues(values) })).rows,
    tuples: async (text, values) =>
      (await db.query({ text, values: toPostgresValues(values), rowMode: 'array' })).rows as unknown as unknown[][],
    scanRows: (text, values) => readInSnapshot(db, { text, values: toPostgresValues(values) }),
    now,
    crawl: (crawlId) => readCrawlLedger(db, crawlId),
  }
}

function toPostgresValues(values: readonly unknown[]): unknown[] {
  return values.map((value) => (typeof value === 'string' ? toPostgresText(value) : value))
}

async function readCrawlLedger(db: Connections, crawlId: string): Promise<CrawlLedger> {
  const values = [toPostgresText(crawlId)]
  const [row] = (await db.query({ name: 'browse_crawl', text: CRAWL, values })).rows
  if (row === undefined) throw crawlNotFoundError(crawlId)
  const ledger = emptyLedger()
  for (const state of TERMINAL_STATES) ledger[state] = Number(row[state])
  ledger.in_progress = Number(row['in_progress'])
  ledger.queued = Number(row['open']) - ledger.in_progress
  return { rowId: Number(row['id']), ledger, version: crawlVersion(row, ledger) }
}
