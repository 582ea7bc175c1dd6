// What looking needs of a database. Statements are the same on both stores, with parameters $1, $2 and so on; where the
// two differ, a piece of the statement comes from the dialect. `u` is always the url.

import type { Ledger } from '../../ports/state.ts'

export type Row = Record<string, unknown>

export interface CrawlLedger {
  rowId: number
  /** As its rows say it, so that on SQLite nothing is in progress. */
  ledger: Ledger
}

export interface SqlDialect {
  /** The urls of a crawl, to be read in the order of their ids. */
  urls: string
  /** The same for those that ended badly; IS_BAD must be among the conditions. */
  problemUrls: string
  /** That a row of visits, links or listings is of `u`. */
  ofUrl(alias: string): string
  /** The worker that has `u` in flight, or null. */
  leasedBy: string
  /** Text that compares by its bytes. */
  bytewise(text: string): string
  /** Whether text is like a pattern, in any case of a to z. The pattern comes from `likePattern`. */
  isLike(text: string, pattern: string): string
  /** Whether a value is in a list, which is given as `list` makes it. */
  isIn(value: string, list: string, of: 'number' | 'text'): string
  list(values: readonly (number | bigint | string)[]): unknown
  /** Whether bytes stand somewhere in others. */
  containsBytes(bytes: string, part: string): string
}

export interface BrowseDb {
  dialect: SqlDialect
  /** A statement that reads so few rows that nobody minds. Others get their turn before it. */
  rows(text: string, values: readonly unknown[]): Promise<Row[]>
  /** One that may read hundreds of thousands. */
  scanRows(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Fails when there is no such crawl. */
  crawl(crawlId: string): Promise<CrawlLedger>
  now(): number
}

/** Parameters of a statement that is put together. */
export class SqlParameters {
  readonly list: unknown[] = []

  /** Answers the name to write into the statement. */
  add(value: unknown): string {
    return `$${this.list.push(value)}`
  }
}
