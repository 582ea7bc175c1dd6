// One process owns a data directory. The pid file next to the lock is only used for the error message.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../lib/errors.ts'
import { isLocked, tryLock } from '../../lib/file-lock.ts'
import { PRIVATE_FILE } from '../../lib/private-files.ts'

const CHECK_MS = 200

export interface DirectoryLock {
  release(): void
}

export function lockDirectory(dir: string): DirectoryLock {
  const pidFile = join(dir, 'owner.pid')
  // Another process may be checking for an owner, which takes no time.
  const lock = tryLock(lockFile(dir), CHECK_MS)
  if (lock === null) {
    const owner = readOwner(pidFile)
    throw new AppError(
      'DATA_IN_USE',
      `The data directory ${dir} is in use by another process${owner ? ` (pid ${owner})` : ''}. Stop it first.`,
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: PRIVATE_FILE })
  return lock
}

/** Whether a process is using the directory. */
export function isDirectoryLocked(dir: string): boolean {
  return isLocked(lockFile(dir))
}

function lockFile(dir: string): string {
  return join(dir, 'lock.db')
}

function readOwner(pidFile: string): string | null {
  try {
    return /^\d+/.exec(readFileSync(pidFile, 'utf8'))?.[0] ?? null
  } catch {
    return null
  }
}
