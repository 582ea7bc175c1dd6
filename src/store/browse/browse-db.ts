// The database as browsing uses it. Statements are the same on both stores, with parameters $1, $2 and so on; where
// they differ, the dialect provides a fragment. `u` is always the URL.

import { type CrawlStatus, isActive, type Ledger } from '../../lib/states.ts'

export type Row = Record<string, unknown>

export interface CrawlLedger {
  rowId: number
  /** Counted from the rows of the crawl, so that on SQLite nothing is in progress. */
  ledger: Ledger
  /** Differs if anything in the crawl does; null while it runs. */
  version: string | null
}

export interface SqlDialect {
  /** FROM clause for the URLs of a crawl, to be read by id. */
  urls: string
  /** FROM clause for problem URLs; IS_PROBLEM must be among the conditions. */
  problemUrls: string
  /** Condition that a row of visits, links or listings belongs to `u`. */
  ofUrl(alias: string): string
  /** The worker that has `u` in flight, or null. */
  leasedBy: string
  /** Text compared by bytes. */
  bytewise(text: string): string
  /** SQL: whether text matches a pattern, ignoring the case of a to z. The pattern comes from `likePattern`. */
  isLike(text: string, pattern: string): string
  /** SQL: whether a value is in a list, encoded by `list`. */
  isIn(value: string, list: string, of: 'number' | 'text'): string
  list(values: readonly (number | bigint | string)[]): unknown
  /** SQL: whether `bytes` contains `part`. */
  containsBytes(bytes: string, part: string): string
}

export interface BrowseDb {
  dialect: SqlDialect
  /** Runs a statement that reads few rows. Other work of the thread gets its turn first. */
  rows(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Like `rows`, but returns rows as arrays, which costs half as much. */
  tuples(text: string, values: readonly unknown[]): Promise<unknown[][]>
  /** Runs a statement that may read hundreds of thousands of rows. */
  scanRows(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Fails if the crawl does not exist. */
  crawl(crawlId: string): Promise<CrawlLedger>
  now(): number
}

/** Revisits may leave the ledger as it was, but not the bytes received or the time the crawl has run. */
export function crawlVersion(row: Row, ledger: Ledger): string | null {
  const { status, bytes, active_ms: activeMs } = row
  return isActive(status as CrawlStatus) ? null : [status, bytes, activeMs, ...Object.values(ledger)].join(' ')
}

/** Parameters of a statement that is built from parts. */
export class SqlParameters {
  readonly list: unknown[] = []

  /** Returns the name to write into the statement. */
  add(value: unknown): string {
    return `$${this.list.push(value)}`
  }
}
