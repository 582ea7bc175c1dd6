// Migrates the tables of a database, one process at a time.

import { readFileSync } from 'node:fs'
import { AppError } from '../../lib/errors.ts'
import { migrationFiles } from '../migrations.ts'
import { assertNoUnfinishedMove } from '../transfer/postgres-move-mark.ts'
import { ADVISORY_LOCKS, STORE_LOCKS } from './advisory-locks.ts'
import { type Queryable, withoutTimeout } from './query.ts'

const LOCK = `select pg_advisory_xact_lock(${ADVISORY_LOCKS.store}, ${STORE_LOCKS.migration})`

export interface MigrateOptions {
  /** If false, a database without our tables is rejected. */
  create: boolean
  /** A transfer may continue in an interrupted target; everybody else is rejected. */
  isForMove: boolean
}

/** Runs on one connection. A database of another program, or of a newer version, is not touched. */
export async function migrate(db: Queryable, { create, isForMove }: MigrateOptions): Promise<void> {
  await db.query({ text: 'begin' })
  try {
    await withoutTimeout(db, { text: LOCK })
    const done = await readVersion(db)
    if (!isForMove) await assertNoUnfinishedMove(db)
    const files = migrationFiles(import.meta.dirname)
    if (done === null) {
      if (!create) throw dataNotFoundError()
      await assertNotForeign(db)
      await db.query({ text: 'create table store_version (version integer not null)' })
      await db.query({ text: 'insert into store_version values (0)' })
    }
    for (const file of files.slice(done ?? 0)) {
      await withoutTimeout(db, { text: readFileSync(file, 'utf8') })
    }
    await db.query({ text: `update store_version set version = ${files.length} where version < ${files.length}` })
    await db.query({ text: 'commit' })
  } catch (error) {
    await db.query({ text: 'rollback' })
    throw error
  }
}

/** Fails unless the tables have this version. */
export async function checkVersion(db: Queryable): Promise<void> {
  const version = await readVersion(db)
  await assertNoUnfinishedMove(db)
  const known = migrationFiles(import.meta.dirname).length
  if (version === null) throw dataNotFoundError()
  if (version < known) {
    throw new AppError(
      'DATA_NOT_FOUND',
      'This database was written by an older Orbweaver. Start or resume a crawl to update it.',
    )
  }
}

function dataNotFoundError(): AppError {
  return new AppError('DATA_NOT_FOUND', 'There is no Orbweaver data in this database. Start a crawl with this store.')
}

/** Null if our tables do not exist. */
async function readVersion(db: Queryable): Promise<number | null> {
  const [found] = (await db.query({ text: `select to_regclass('store_version') is not null as is_there` })).rows
  if (found?.['is_there'] !== true) return null
  const [row] = (await db.query({ text: 'select version from store_version' })).rows
  const version = Number(row?.['version'])
  const known = migrationFiles(import.meta.dirname).length
  if (version > known) {
    throw new AppError(
      'DATA_NEWER',
      `This database was written by a newer Orbweaver (schema ${version}, this version supports ${known}). Update Orbweaver to open it.`,
    )
  }
  return version
}

async function assertNotForeign(db: Queryable): Promise<void> {
  const text = `select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' limit 1`
  const [row] = (await db.query({ text })).rows
  if (row === undefined) return
  throw new AppError(
    'DATA_FOREIGN',
    `This database belongs to another program: it has a table "${row['relname']}". Use an empty database.`,
  )
}
