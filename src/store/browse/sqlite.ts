// Browsing on SQLite.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { emptyLedger, TERMINAL_STATES } from '../../lib/states.ts'
import type { Browse } from '../../ports/browse.ts'
import { crawlNotFoundError } from '../crawls/crawl-row.ts'
import { makeBrowse } from './browse.ts'
import { type BrowseDb, type CrawlLedger, crawlVersion, type Row, type SqlDialect } from './browse-db.ts'

const SLICE_MS = 5

const DIALECT: SqlDialect = {
  urls: 'urls u indexed by urls_crawl',
  problemUrls: 'urls u indexed by urls_bad',
  ofUrl: (alias) => `${alias}.url_id = u.id`,
  leasedBy: 'null',
  bytewise: (text) => text,
  isLike: (text, pattern) => `${text} like ${pattern} escape '\\'`,
  isIn: (value, list) => `${value} in (select value from json_each(${list}))`,
  // JSON.stringify does not accept bigint.
  list: (values) => `[${values.map((value) => (typeof value === 'bigint' ? value : JSON.stringify(value))).join(',')}]`,
  containsBytes: (bytes, part) => `instr(${bytes}, ${part}) > 0`,
}

export function openBrowse(db: DatabaseSync, now: () => number): Browse {
  return makeBrowse(browseDb(db, now))
}

function browseDb(db: DatabaseSync, now: () => number): BrowseDb {
  let sliceEndsAt = 0
  const prepare = async (text: string): Promise<StatementSync> => {
    // A statement blocks the thread. Others get their turn between statements, but not after every short one: a call of
    // ten statements would wait ten times for whatever else is read.
    if (performance.now() >= sliceEndsAt) {
      await turn()
      sliceEndsAt = performance.now() + SLICE_MS
    }
    return db.prepare(text)
  }
  const rows = async (text: string, values: readonly unknown[]): Promise<Row[]> =>
    (await prepare(text)).all(toNamedParameters(values))
  const tuples = async (text: string, values: readonly unknown[]): Promise<unknown[][]> => {
    const statement = await prepare(text)
    statement.setReturnArrays(true)
    return statement.all(toNamedParameters(values)) as unknown as unknown[][]
  }
  return { dialect: DIALECT, rows, tuples, scanRows: rows, now, crawl: async (crawlId) => readCrawlLedger(db, crawlId) }
}

function toNamedParameters(values: readonly unknown[]): Record<string, SQLInputValue> {
  return Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value as SQLInputValue]))
}

function readCrawlLedger(db: DatabaseSync, crawlId: string): CrawlLedger {
  const row = db.prepare('select * from crawls where uuid = ?').get(crawlId)
  if (row === undefined) throw crawlNotFoundError(crawlId)
  const ledger = emptyLedger()
  for (const state of TERMINAL_STATES) ledger[state] = Number(row[state])
  ledger.queued = Number(row['open'])
  return { rowId: Number(row['id']), ledger, version: crawlVersion(row, ledger) }
}
