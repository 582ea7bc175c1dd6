// A data directory as the target of a transfer.

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { systemClock } from '../../lib/clock.ts'
import {
  type CrawlFailedCheck,
  type TransferRow,
  type TransferTable,
  type TransferTarget,
  type TransferValue,
  transferColumns,
} from '../../ports/transfer.ts'
import { encodeEntry } from '../pages/sqlite-near-duplicates.ts'
import { storeError } from '../sqlite/open.ts'
import { Transactions } from '../sqlite/transactions.ts'
import { verifyCrawl } from '../urls/sqlite-verify.ts'
import { finishTarget } from './sqlite-finish.ts'
import { type MovingFile, openMovingFile } from './sqlite-moving-file.ts'

/** Columns that are in the row of the URL here. */
const OMITTED_COLUMNS: Partial<Record<TransferTable, string[]>> = {
  visits: ['crawl', 'host'],
  links: ['crawl', 'host'],
  beyond: ['host'],
  held_urls: ['host'],
  trial_visits: ['host'],
  ancestry: ['crawl'],
  listings: ['crawl', 'host'],
  script_urls: ['crawl', 'host'],
  revisits: ['host'],
  changes: ['host'],
  contents: ['crawl', 'host'],
  pages: ['crawl', 'host'],
}

/** The entries of a quarter are one row. */
const APPEND_ENTRY = `insert into fingerprints (quarter, entries) values (?, ?)
  on conflict (quarter) do update set entries = cast(entries || excluded.entries as blob)`

export async function openTarget(dir: string): Promise<TransferTarget> {
  return new SqliteTarget(dir, openMovingFile(dir))
}

class SqliteTarget implements TransferTarget {
  readonly place: string
  readonly #file: MovingFile
  readonly #transactions: Transactions
  readonly #writers = new Map<TransferTable, (row: TransferRow) => void>()
  /** Few rows: shorter paths found in the last moments. */
  readonly #detours: TransferRow[] = []

  constructor(dir: string, file: MovingFile) {
    this.place = dir
    this.#file = file
    this.#transactions = new Transactions(file.db, (error) => storeError(error, dir))
  }

  async write(table: TransferTable, rows: TransferRow[]): Promise<void> {
    if (table === 'detours') {
      this.#detours.push(...rows)
      return
    }
    const write = this.#writers.get(table) ?? makeRowWriter(this.#file.db, table)
    this.#writers.set(table, write)
    this.#transactions.run(() => rows.forEach(write))
  }

  async finish(now: number | null): Promise<CrawlFailedCheck[]> {
    const { db } = this.#file
    this.#transactions.run(() => finishTarget(db, this.#detours, now ?? systemClock.now()))
    const crawls = db.prepare('select id, uuid from crawls order by id').all()
    const findings = crawls.flatMap((crawl) =>
      verifyCrawl(db, Number(crawl['id'])).map((failedCheck) => ({ ...failedCheck, crawlId: String(crawl['uuid']) })),
    )
    if (findings.length === 0) this.#file.release()
    return findings
  }

  async close(): Promise<void> {
    this.#file.close()
  }
}

export function makeRowWriter(db: DatabaseSync, table: TransferTable): (row: TransferRow) => void {
  switch (table) {
    case 'fingerprints':
      return fingerprintWriter(db.prepare(APPEND_ENTRY))
    case 'counters': {
      const names = transferColumns(table).flatMap(([name]) => (name === 'crawl' ? [] : [name]))
      const sets = names.map((name) => `${name} = ?`).join(', ')
      return bindColumns(db.prepare(`update crawls set ${sets} where id = ?`), [...names, 'crawl'])
    }
    case 'page_ids':
    case 'change_cursor':
      return bindColumns(db.prepare(`update ${table} set last = ?`), ['last'])
    case 'monitor_revision':
      return bindColumns(db.prepare('update monitor_revision set revision = ?'), ['revision'])
    default:
      return makeInsert(db, table)
  }
}

function makeInsert(db: DatabaseSync, table: TransferTable): (row: TransferRow) => void {
  const columns = transferColumns(table).filter(([name]) => OMITTED_COLUMNS[table]?.includes(name) !== true)
  const names = columns.map(([name]) => name)
  const values = columns.map(([name, kind]) => {
    // A page refers to its payload by an id of this file.
    if (table === 'pages' && name === 'content') return '(select id from contents where digest = ?)'
    return kind === 'wide' ? 'cast(? as integer)' : '?'
  })
  const quoted = names.map((name) => `"${name}"`).join(', ')
  return bindColumns(db.prepare(`insert into ${table} (${quoted}) values (${values.join(', ')})`), names)
}

function bindColumns(statement: StatementSync, names: string[]): (row: TransferRow) => void {
  return (row) => {
    statement.run(...names.map((name): TransferValue => row[name] ?? null))
  }
}

function fingerprintWriter(append: StatementSync): (row: TransferRow) => void {
  return ({ quarter, fingerprint, page }) => {
    append.run(Number(quarter), encodeEntry(BigInt(String(fingerprint)), Number(page)))
  }
}
