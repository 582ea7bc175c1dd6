// Connections for readers, with translated errors.

import type pg from 'pg'
import type { Database } from './database.ts'
import { checkVersion } from './migrate.ts'
import type { Connections, Queryable } from './query.ts'
import { storeError } from './store-errors.ts'

/** Throws errors at once, without retries. */
export function wrapWithStoreErrors(db: Connections, url: string): Connections {
  const translated = <T>(promise: Promise<T>): Promise<T> =>
    promise.catch((error: unknown) => {
      throw storeError(error, url)
    })
  const query =
    (target: Queryable): Queryable['query'] =>
    (statement) =>
      translated(target.query(statement))
  return {
    query: query(db),
    async connect() {
      const connection = await translated(db.connect())
      return { query: query(connection), release: (isBroken) => connection.release(isBroken) }
    },
  }
}

/** Opens the pool for reading tables of this version. If the version differs, the pool is closed again. */
export async function openReadOnly(pool: pg.Pool, url: string): Promise<Connections> {
  const db = wrapWithStoreErrors(pool, url)
  try {
    await checkVersion(db)
    return db
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** Statements that are safe to repeat are retried until they succeed, however long the store is unavailable. */
export function wrapWithRetries(db: Database, url: string): Connections {
  const { connect } = wrapWithStoreErrors(
    { query: (statement) => db.pool.query(statement), connect: () => db.withRetries(() => db.pool.connect()) },
    url,
  )
  return { query: (statement) => db.withRetries(() => db.pool.query(statement)), connect }
}
