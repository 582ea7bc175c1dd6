// The file that a transfer writes. Until the transfer is finished it has its own application id, by which everybody
// else rejects it. A file left by an interrupted transfer is deleted when it is started again.

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { makePrivateFolder } from '../../lib/private-files.ts'
import { type DirectoryLock, lockDirectory } from '../sqlite/directory-lock.ts'
import {
  APPLICATION_ID,
  assertNotForeign,
  connect,
  inspectDatabase,
  MOVING_ID,
  migrate,
  readPragma,
  storeError,
} from '../sqlite/open.ts'
import { storeNotEmptyError } from './move-errors.ts'

/** A folder in which a worker of a database has archived pages may get its own store. */
const ALLOWED_FILES = ['archive', 'held']

export interface MovingFile {
  db: DatabaseSync
  /** From here on, the file is an ordinary store, even after a power failure. */
  release(): void
  close(): void
}

export function openMovingFile(dir: string): MovingFile {
  const file = join(dir, 'store.db')
  if (!existsSync(file)) assertNotForeign(dir, ALLOWED_FILES)
  let lock: DirectoryLock | null = null
  try {
    makePrivateFolder(dir)
    lock = lockDirectory(dir)
    if (existsSync(file)) assertUnused(file, dir)
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    return create(file, lock)
  } catch (error) {
    lock?.release()
    throw storeError(error, dir)
  }
}

function assertUnused(file: string, dir: string): void {
  const db = connect(file, true)
  try {
    if (readPragma(db, 'application_id') === MOVING_ID) return
    inspectDatabase(file, dir, { create: true, readOnly: true })
    const hasTables = db.prepare(`select 1 from sqlite_schema where name = 'crawls'`).get() !== undefined
    if (hasTables && db.prepare('select 1 from crawls limit 1').get() !== undefined) throw storeNotEmptyError(dir)
  } finally {
    db.close()
  }
}

function create(file: string, directoryLock: DirectoryLock): MovingFile {
  const db = connect(file, false)
  migrate(db)
  db.exec(`pragma application_id = ${MOVING_ID}`)
  return {
    db,
    release() {
      db.exec(`pragma synchronous = full; pragma application_id = ${APPLICATION_ID}; pragma wal_checkpoint(truncate)`)
    },
    close() {
      db.close()
      directoryLock.release()
    },
  }
}
