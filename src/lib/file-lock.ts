// A lock that the system lets go of when its holder dies, whatever killed it, so that none is ever stale. It is an
// exclusive SQLite transaction on a file that holds nothing. The file must not be opened in any other way: the first to
// close it would let go of the lock. Nor may it be deleted while somebody may be opening it.

import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from './private-files.ts'
import { sqliteCode } from './sqlite-code.ts'

export interface FileLock {
  release(): void
}

const BUSY = 5
const CANNOT_OPEN = 14

/** Null when somebody else has it for longer than `waitMs`. Threads keep each other out as processes do. */
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

/** Whether somebody has it now. */
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
    // There is no such file.
    if (sqliteCode(error) === CANNOT_OPEN) return false
    throw error
  }
}
