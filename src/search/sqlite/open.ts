// Opens search.db next to store.db. The indexer has the only writing connection; all others read.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../lib/errors.ts'
import { makePrivateFile } from '../../lib/private-files.ts'
import { sqliteCode } from '../../lib/sqlite-code.ts'

/** Incremented when the schema or the analysis changes; the index is then rebuilt. */
export const INDEX_VERSION = 16
/** Page cache of a connection without a share of a memory budget. */
const CACHE_BYTES = 16 * 1024 ** 2
/** "Orbs". */
const APPLICATION_ID = 0x4f726273

export function indexPath(dir: string): string {
  return join(dir, 'search.db')
}

/** Creates or rebuilds the index if necessary. Only for the process that owns the data directory. */
export function openForWriting(dir: string, cacheBytes = CACHE_BYTES): DatabaseSync {
  const file = indexPath(dir)
  if (existsSync(file) && !isCurrent(file)) {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  }
  const db = connect(file, false, cacheBytes)
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 8192')
  if (pragma(db, 'user_version') === 0) {
    db.exec('begin immediate')
    db.exec(readSchema())
    db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${INDEX_VERSION}; commit`)
  }
  return db
}

export function readSchema(): string {
  return readFileSync(new URL('./schema.sql', import.meta.url), 'utf8')
}

/** Null if there is no index yet. */
export function openForReading(dir: string, cacheBytes = CACHE_BYTES): DatabaseSync | null {
  return hasIndex(dir) ? connect(indexPath(dir), true, cacheBytes) : null
}

export function hasIndex(dir: string): boolean {
  const file = indexPath(dir)
  return existsSync(file) && isCurrent(file)
}

/** The file is not memory-mapped: its pages would count towards this process once per connection. */
function connect(file: string, readOnly: boolean, cacheBytes: number): DatabaseSync {
  if (!readOnly) makePrivateFile(file)
  const db = new DatabaseSync(file, { readOnly, timeout: 5000 })
  db.exec(`pragma cache_size = ${-Math.floor(cacheBytes / 1024)}; pragma temp_store = memory`)
  return db
}

function isCurrent(file: string): boolean {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    return pragma(db, 'application_id') === APPLICATION_ID && pragma(db, 'user_version') === INDEX_VERSION
  } catch (error) {
    return rethrowUnlessCorrupt(error, file)
  } finally {
    db?.close()
  }
}

/** SQLite result codes. */
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26

/** A corrupt index can be rebuilt; any other failure to open it needs a person. */
function rethrowUnlessCorrupt(error: unknown, file: string): false {
  const code = sqliteCode(error)
  if (code === NOT_A_DATABASE || code === CORRUPT) return false
  const text = error instanceof Error ? error.message : String(error)
  throw new AppError('DATA_UNWRITABLE', `Cannot open the search index ${file}: ${text}`, { cause: error })
}

/** Turns a full disk into its own error. */
export function writeError(error: unknown): unknown {
  if (sqliteCode(error) !== FULL) return error
  const message = 'The disk of the search index is full. Free some space; indexing then continues by itself.'
  return new AppError('DISK_FULL', message, { cause: error })
}

export function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`pragma ${name}`).get()?.[name] ?? 0)
}
