// Counts the newest matches of a query, a range of ids per statement, until there are enough or time is up. FTS5 cannot
// be interrupted within a statement, so each one covers a part of the documents.

import type { DatabaseSync } from 'node:sqlite'
import { prepareCached } from '../prepare-cached.ts'

export interface ScanLimits {
  /** Maximum number of counted documents. */
  counted: number
  /** Ids per statement: this many divided by the words of the query, but at least the minimum. */
  idsPerStatement: number
  minIdsPerStatement: number
  /** No further statement starts after this many matches, or after this time. */
  enough: number
  scanMs: number
}

export interface ScanRequest {
  table: 'terms' | 'heads'
  match: string
  /** Number of words; each adds to the cost of a statement. */
  words: number
  /** For hits beyond the first page, after an earlier scan. */
  isContinued: boolean
}

export interface ScanResult {
  count: number
  /** The lowest id scanned; 0 if all were. */
  floor: number
}

/** With fewer matches than a page of hits, the scan continues for this many times longer. */
const FEW = 10
const FEW_TIMES = 9
/** A statement that took less than this fraction of the time was quick. */
const QUICK_FRACTION = 5
const MAX_SCANS = 100
const scansByDatabase = new WeakMap<DatabaseSync, Map<string, ScanResult>>()

/**
 * Returns the number of matches and how far back the scan went. A continued search scans as far as before, not as far
 * as time allows, so that every page of hits ranks the same documents.
 */
export function countNewest(db: DatabaseSync, scanRequest: ScanRequest, limits: ScanLimits): ScanResult {
  const scans = scansByDatabase.get(db) ?? new Map<string, ScanResult>()
  scansByDatabase.set(db, scans)
  const key = `${scanRequest.table} ${scanRequest.match}`
  const before = scanRequest.isContinued ? scans.get(key) : undefined
  if (before !== undefined) return before
  const scanResult = scanNewest(db, scanRequest, limits)
  const [oldest] = scans.keys()
  if (scans.size >= MAX_SCANS && oldest !== undefined) scans.delete(oldest)
  scans.set(key, scanResult)
  return scanResult
}

function scanNewest(db: DatabaseSync, { table, match, words }: ScanRequest, limits: ScanLimits): ScanResult {
  const deadline = performance.now() + limits.scanMs
  const { newest, oldest } = idsOf(db)
  // FTS5 ignores a bound on rowid that is not an integer, hence the cast.
  const statement = prepareCached(
    db,
    `select count(*) as n, min(id) as floor from (select rowid as id from ${table} where ${table} match ?
       and rowid <= cast(? as integer) and rowid >= cast(? as integer) order by rowid desc limit ?)`,
  )
  let size = Math.max(limits.minIdsPerStatement, Math.floor(limits.idsPerStatement / Math.max(1, words)))
  let count = 0
  for (let high = newest; high >= oldest; ) {
    const low = high - size + 1
    const startedAt = performance.now()
    const row = statement.get(match, high, low, limits.counted - count)
    const now = performance.now()
    count += Number(row?.['n'])
    if (count >= limits.counted) return { count, floor: Number(row?.['floor']) }
    const isLate = now >= (count < FEW ? deadline + limits.scanMs * FEW_TIMES : deadline)
    if (low > oldest && (count >= limits.enough || isLate)) return { count, floor: low }
    high = low - 1
    // A quick statement found little, so the next range is larger.
    if (now - startedAt < limits.scanMs / QUICK_FRACTION) size *= 2
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
