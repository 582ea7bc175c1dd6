// How far back a query looks: from the newest documents on, some at a time, until there are enough or it has taken too
// long. FTS5 cannot be stopped in a statement, so each is about a part of the documents.

import type { DatabaseSync } from 'node:sqlite'
import { prepareCached } from '../prepare-cached.ts'

export interface ScanLimits {
  /** Documents that are counted. */
  looked: number
  /** Ids that a statement is about: so many divided by the words of the query, and no fewer than the least. */
  atOnce: number
  leastAtOnce: number
  /** After so many documents no further statement is begun, nor after so long. */
  enough: number
  looksMs: number
}

export interface ScanRequest {
  table: 'terms' | 'heads'
  match: string
  /** How many there are: each takes its time. */
  words: number
  /** For hits behind the first ones, which were looked for before. */
  goesOn: boolean
}

export interface ScanResult {
  count: number
  /** The lowest id that was looked at; 0 when that is all of them. */
  floor: number
}

/** Who finds fewer than a page of hits would rather wait, so much longer. */
const FEW = 10
const FEW_TIMES = 9
/** A part that took less of the time than one of so many was quick. */
const QUICK_PARTS = 5
const MAX_KEPT = 100
const scansByDatabase = new WeakMap<DatabaseSync, Map<string, ScanResult>>()

/**
 * How many of the newest documents fit, and how far back it was looked for them. Who goes on looks as far as before, not
 * as far as time allows: hits are ranked among the same documents on every page.
 */
export function countNewest(db: DatabaseSync, scanRequest: ScanRequest, limits: ScanLimits): ScanResult {
  const known = scansByDatabase.get(db) ?? new Map<string, ScanResult>()
  scansByDatabase.set(db, known)
  const key = `${scanRequest.table} ${scanRequest.match}`
  const before = scanRequest.goesOn ? known.get(key) : undefined
  if (before !== undefined) return before
  const scanResult = scanNewest(db, scanRequest, limits)
  const [oldest] = known.keys()
  if (known.size >= MAX_KEPT && oldest !== undefined) known.delete(oldest)
  known.set(key, scanResult)
  return scanResult
}

function scanNewest(db: DatabaseSync, { table, match, words }: ScanRequest, limits: ScanLimits): ScanResult {
  const until = performance.now() + limits.looksMs
  const { newest, oldest } = idsOf(db)
  // FTS5 passes over a rowid that is no integer, as bound numbers are not.
  const statement = prepareCached(
    db,
    `select count(*) as n, min(id) as floor from (select rowid as id from ${table} where ${table} match ?
       and rowid <= cast(? as integer) and rowid >= cast(? as integer) order by rowid desc limit ?)`,
  )
  let size = Math.max(limits.leastAtOnce, Math.floor(limits.atOnce / Math.max(1, words)))
  let count = 0
  for (let high = newest; high >= oldest; ) {
    const low = high - size + 1
    const begunAt = performance.now()
    const row = statement.get(match, high, low, limits.looked - count)
    const now = performance.now()
    count += Number(row?.['n'])
    if (count >= limits.looked) return { count, floor: Number(row?.['floor']) }
    const isLate = now >= (count < FEW ? until + limits.looksMs * FEW_TIMES : until)
    if (low > oldest && (count >= limits.enough || isLate)) return { count, floor: low }
    high = low - 1
    // Where little fits, the next part may be larger.
    if (now - begunAt < limits.looksMs / QUICK_PARTS) size *= 2
  }
  return { count, floor: 0 }
}

function idsOf(db: DatabaseSync): { newest: number; oldest: number } {
  const row = prepareCached(
    db,
    'select (select max(page_id) from documents) as newest, (select min(page_id) from documents) as oldest',
  ).get()
  return { newest: Number(row?.['newest'] ?? 0), oldest: Number(row?.['oldest'] ?? 1) }
}
