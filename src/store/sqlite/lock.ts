// One process owns a data directory. The lock is an exclusive SQLite transaction on a file of its own: the kernel
// drops it with the process, so a lock can never be stale, whatever killed the owner. The pid beside it is only
// there to be named in the message.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../lib/errors.ts'

const LOOK_MS = 200

export interface Lock {
  release(): void
}

export function lockDirectory(dir: string): Lock {
  const pidFile = join(dir, 'owner.pid')
  // Somebody may be looking whether there is an owner, which takes no time.
  const db = new DatabaseSync(join(dir, 'lock.db'), { timeout: LOOK_MS })
  try {
    db.exec('pragma journal_mode = delete; begin exclusive')
  } catch (cause) {
    db.close()
    const owner = readOwner(pidFile)
    throw new AppError(
      'DATA_IN_USE',
      `The data directory ${dir} is in use by another process${owner ? ` (pid ${owner})` : ''}. Wait for it to end or stop it, or use another --data directory.`,
      { cause },
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return { release: () => db.close() }
}

/** Whether a process works in the directory. */
export function isOwned(dir: string): boolean {
  const file = join(dir, 'lock.db')
  if (!existsSync(file)) return false
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 })
  try {
    db.prepare('select count(*) from sqlite_schema').get()
    return false
  } catch {
    // Only an owner keeps others from reading it.
    return true
  } finally {
    db.close()
  }
}

function readOwner(pidFile: string): string | null {
  try {
    return /^\d+/.exec(readFileSync(pidFile, 'utf8'))?.[0] ?? null
  } catch {
    return null
  }
}
