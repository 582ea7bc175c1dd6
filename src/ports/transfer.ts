// Moves a whole store into another one as plain rows, table by table, in an order in which they can be written. Ids and
// keys stay the same. Leases are not moved: URLs in flight become queued.

import { ADMISSION_TABLES } from './transfer-tables/admission.ts'
import { ARCHIVE_TABLES } from './transfer-tables/archive.ts'
import type { TransferColumnType } from './transfer-tables/columns.ts'
import { FRONTIER_TABLES } from './transfer-tables/frontier.ts'
import { OPERATIONS_TABLES } from './transfer-tables/operations.ts'
import { RECRAWL_TABLES } from './transfer-tables/recrawl.ts'
import { REPORT_TABLES } from './transfer-tables/reports.ts'
import type { FailedCheck } from './urls.ts'

/** Tables in the order in which they are written. */
const TRANSFER_TABLES = {
  ...FRONTIER_TABLES,
  ...RECRAWL_TABLES,
  ...ADMISSION_TABLES,
  ...ARCHIVE_TABLES,
  ...OPERATIONS_TABLES,
  ...REPORT_TABLES,
}

export type TransferTable = keyof typeof TRANSFER_TABLES

export const TRANSFER_TABLE_NAMES = Object.keys(TRANSFER_TABLES) as TransferTable[]

export type TransferValue = string | number | Uint8Array | null
export type TransferRow = Record<string, TransferValue>

export function transferColumns(table: TransferTable): [name: string, kind: TransferColumnType][] {
  return Object.entries(TRANSFER_TABLES[table])
}

/** A store that no process uses until this is closed. Read only. */
export interface TransferSource {
  /** Location of the store, for display. */
  place: string
  /** Reads a table in batches that fit into memory. */
  read(table: TransferTable): AsyncIterable<TransferRow[]>
  /** Names of the segments that it refers to. */
  segments(): Promise<string[]>
  /** Number of page versions with a record in one of these segments. */
  countPagesIn(segments: string[]): Promise<number>
  close(): Promise<void>
}

export interface CrawlFailedCheck extends FailedCheck {
  crawlId: string
}

/** An empty store. Nobody else can open it until it is finished. */
export interface TransferTarget {
  place: string
  /** Tables in order, each in one go. */
  write(table: TransferTable, rows: TransferRow[]): Promise<void>
  /**
   * Builds what is not in the rows, then verifies every crawl. If nothing is wrong, the store is released for use.
   * `now` replaces the clock of the store in tests.
   */
  finish(now: number | null): Promise<CrawlFailedCheck[]>
  close(): Promise<void>
}
