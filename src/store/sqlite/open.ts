// Opens a data directory: checks that it belongs to Orbweaver, takes the lock, migrates the schema.
//
//   store.db     all data of the crawls
//   lock.db, owner.pid     the lock, and the pid of the process that may write
//   store.sock   socket through which other processes reach the writer (share-store.ts)

import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../lib/errors.ts'
import { makePrivateFile, makePrivateFolder } from '../../lib/private-files.ts'
import { sqliteCode } from '../../lib/sqlite-code.ts'
import { migrationFiles } from '../migrations.ts'
import { moveUnfinishedError } from '../transfer/move-errors.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { SOCKET_FILE } from './share-store.ts'

/** "Orbw", to recognise a file of another program. */
export const APPLICATION_ID = 0x4f726277
/** "Orbm": the target of a transfer that is running or was interrupted. */
export const MOVING_ID = 0x4f72626d

/** Page cache of a connection without a share of the memory budget, such as those of short commands. */
const CACHE_BYTES = 8 * 1024 ** 2

/** The tables after all migrations (dump-schema.ts). */
export const SCHEMA_FILE = join(import.meta.dirname, 'schema.sql')

const LOCK_FILES = ['lock.db', 'owner.pid', SOCKET_FILE]

export interface OpenOptions {
  /** Create the directory if it does not exist. */
  create: boolean
  /** Take no lock, so that a running crawl can be read. */
  readOnly: boolean
  /** Page cache of the connection. */
  cacheBytes?: number
}

export interface OpenDatabase {
  db: DatabaseSync
  close(): void
}

export function openDatabase(dir: string, options: OpenOptions): OpenDatabase {
  const file = join(dir, 'store.db')
  checkDirectory(dir, file, options)
  if (existsSync(file)) inspectDatabase(file, dir, options)
  const lock = options.readOnly ? null : takeLock(dir, options)
  try {
    const db = connect(file, options.readOnly, options.cacheBytes)
    if (!options.readOnly) migrate(db)
    return {
      db,
      close() {
        db.close()
        lock?.release()
      },
    }
  } catch (error) {
    lock?.release()
    throw storeError(error, dir)
  }
}

/** A directory of an older version cannot be read without a migration, so it is opened for writing once. */
export function openForReading(dir: string, cacheBytes = CACHE_BYTES): OpenDatabase {
  const opened = openDatabase(dir, { create: false, readOnly: true, cacheBytes })
  if (readPragma(opened.db, 'user_version') === migrationFiles(import.meta.dirname).length) return opened
  opened.close()
  openDatabase(dir, { create: false, readOnly: false }).close()
  return openDatabase(dir, { create: false, readOnly: true, cacheBytes })
}

function checkDirectory(dir: string, file: string, options: OpenOptions): void {
  if (existsSync(file)) return
  assertEnterable(dir)
  if (!options.create) throw dataNotFoundError(dir)
  try {
    assertNotForeign(dir, [])
  } catch (error) {
    // Another process may have created the store meanwhile.
    if (!existsSync(file)) throw error
  }
}

/** A directory without execute permission looks empty. */
function assertEnterable(dir: string): void {
  try {
    // The dot tells a file from a directory.
    accessSync(`${dir}/.`, constants.X_OK)
  } catch (cause) {
    if (systemCode(cause) !== 'EACCES') return
    const message = `This user has no access to the data directory ${dir}. Run the command as a user who has access, or choose another --data directory.`
    throw new AppError('DATA_UNWRITABLE', message, { cause })
  }
}

/** A directory that contains anything else is not ours. */
export function assertNotForeign(dir: string, ours: readonly string[]): void {
  let entries: string[]
  try {
    entries = existsSync(dir) ? readdirSync(dir) : []
  } catch (cause) {
    throw new AppError('DATA_FOREIGN', `${dir} is not a directory. Choose another with --data.`, { cause })
  }
  const foreign = entries.find((name) => !LOCK_FILES.includes(name) && !ours.includes(name))
  if (foreign !== undefined) {
    throw new AppError(
      'DATA_FOREIGN',
      `${dir} is not an Orbweaver data directory: it contains "${foreign}". Choose an empty or new directory.`,
    )
  }
}

function dataNotFoundError(dir: string): AppError {
  return new AppError(
    'DATA_NOT_FOUND',
    `There is no Orbweaver data in ${dir}. Start a crawl there, or choose another --data directory.`,
  )
}

/** Checks before anything is written: a foreign or newer file is not touched. */
export function inspectDatabase(file: string, dir: string, options: OpenOptions): void {
  try {
    const db = connect(file, true)
    try {
      checkVersion(db, dir, options)
    } finally {
      db.close()
    }
  } catch (error) {
    throw storeError(error, dir)
  }
}

function takeLock(dir: string, options: OpenOptions): DirectoryLock {
  try {
    if (options.create) makePrivateFolder(dir)
    return lockDirectory(dir)
  } catch (error) {
    throw storeError(error, dir)
  }
}

export function connect(file: string, readOnly: boolean, cacheBytes = CACHE_BYTES): DatabaseSync {
  if (!readOnly) makePrivateFile(file)
  const db = new DatabaseSync(file, { readOnly, timeout: 5000 })
  // A negative number is in KiB.
  db.exec(`pragma cache_size = ${-Math.floor(cacheBytes / 1024)}; pragma temp_store = memory`)
  return db
}

function checkVersion(db: DatabaseSync, dir: string, options: OpenOptions): void {
  const id = readPragma(db, 'application_id')
  if (id === MOVING_ID) throw moveUnfinishedError(dir)
  const version = readPragma(db, 'user_version')
  const isNew = id === 0 && version === 0 && isEmpty(db)
  // A process killed while it created the file leaves an empty one, which counts as none.
  if (isNew && !options.create) throw dataNotFoundError(dir)
  if (id !== APPLICATION_ID && !isNew) {
    throw new AppError(
      'DATA_FOREIGN',
      `${join(dir, 'store.db')} is a database of another program. Choose another directory with --data.`,
    )
  }
  const known = migrationFiles(import.meta.dirname).length
  if (version > known) {
    throw new AppError(
      'DATA_NEWER',
      `${dir} was written by a newer Orbweaver (schema ${version}, this version supports ${known}). Update Orbweaver to open it.`,
    )
  }
}

export function migrate(db: DatabaseSync): void {
  // WAL with synchronous=normal: a killed process loses nothing. A power failure can lose the last commits, whose
  // URLs are then still queued, and never damages the file. Checkpoints every 64 MiB: new keys are spread over their
  // index, so the longer a page waits the more changes it takes.
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 16384')
  const files = migrationFiles(import.meta.dirname)
  const done = readPragma(db, 'user_version')
  // A new file gets the final schema at once, which takes 5 ms of CPU; running all migrations takes 37 (2026-11).
  if (done === 0) return apply(db, SCHEMA_FILE, files.length)
  files.forEach((file, i) => {
    if (i >= done) apply(db, file, i + 1)
  })
}

function apply(db: DatabaseSync, file: string, version: number): void {
  db.exec(`begin immediate;
    ${readFileSync(file, 'utf8')};
    pragma application_id = ${APPLICATION_ID}; pragma user_version = ${version}; commit`)
}

export function readPragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`pragma ${name}`).get()?.[name] ?? 0)
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('select count(*) as n from sqlite_schema').get()?.['n'] === 0
}

/** SQLite result codes that a user can act on. */
const SQLITE = { readonly: 8, corrupt: 11, full: 13, cantOpen: 14, notADatabase: 26 } as const

export function isDamageError(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === SQLITE.corrupt || code === SQLITE.notADatabase
}

export function storeError(error: unknown, dir: string): AppError {
  if (error instanceof AppError) return error
  const primary = sqliteCode(error)
  const text = error instanceof Error ? error.message : String(error)
  const options = { cause: error }
  if (primary === SQLITE.full || systemCode(error) === 'ENOSPC') {
    return new AppError(
      'DISK_FULL',
      `The disk that holds ${dir} is full. Free some space, then resume the crawl.`,
      options,
    )
  }
  if (primary === SQLITE.readonly || primary === SQLITE.cantOpen || systemCode(error) !== null) {
    return new AppError('DATA_UNWRITABLE', `Cannot write to the data directory ${dir}: ${text}`, options)
  }
  const isOurs = LOCK_FILES.some((name) => existsSync(join(dir, name)))
  if (primary === SQLITE.notADatabase && !isOurs) {
    return new AppError('DATA_FOREIGN', `${join(dir, 'store.db')} is not a readable store: ${text}`, options)
  }
  if (isDamageError(error)) {
    return new AppError(
      'STORE_FAILED',
      `${join(dir, 'store.db')} is damaged (${text}). Do not change it; docs/guides/recovery.md explains how to recover the intact data.`,
      options,
    )
  }
  return new AppError('STORE_FAILED', `The store in ${dir} failed: ${text}`, options)
}

function systemCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
  return code?.startsWith('E') && !code.startsWith('ERR_') ? code : null
}
