// A file lock that the operating system releases when its holder dies, so that it is never stale. It is an exclusive
// SQLite transaction on an empty file. The file must not be opened in any other way, because closing it would release the
// lock, and must not be deleted while another process may be opening it.

import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from './private-files.ts'
import { sqliteCode } from './sqlite-code.ts'

export interface FileLock {
  release(): void
}

const BUSY = 5
const CANNOT_OPEN = 14

/** Null if the lock is held by another thread or process for longer than `waitMs`. */
export function tryLock(path: string, waitMs: number): FileLock | null {
  makePrivateFile(path)
  const db = new DatabaseSync(path, { timeout: waitMs })
  try {
    db.exec('pragma journal_mode = memory; begin exclusive')
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if (sqliteCode(error) === BUSY) return null
    throw error
  }
}

export function isLocked(path: string): boolean {
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    try {
      db.prepare('select count(*) from sqlite_schema').get()
      return false
    } finally {
      db.close()
    }
  } catch (error) {
    if (sqliteCode(error) === BUSY) return true
    // The file does not exist.
    if (sqliteCode(error) === CANNOT_OPEN) return false
    throw error
  }
}
