// The one connection that a move has to a database. It holds the lock that says somebody is at work, alone, so that
// nobody else is until it ends; the server lets go of it however that happens.

import pg from 'pg'
import { AppError } from '../../lib/errors.ts'
import { clientSettings, storeError, storeLocation } from '../postgres/connect.ts'
import { wrapWithStoreErrors } from '../postgres/connections.ts'
import { listPossiblyActive, tryExclusiveLock } from '../postgres/presence.ts'
import type { Connection, Connections, Queryable } from '../postgres/query.ts'

export interface ExclusiveConnection {
  /** All on the same connection. */
  db: Connections
  close(): Promise<void>
}

export async function connectExclusively(url: string, isWriting: boolean): Promise<ExclusiveConnection> {
  const client = new pg.Client(clientSettings(url, { name: 'orbweaver move', isWriting, statementMs: 0 }))
  // Whoever waits for an answer is told.
  client.on('error', () => undefined)
  const connection: Connection = { query: (statement) => client.query(statement), release: () => undefined }
  const db = wrapWithStoreErrors({ query: connection.query, connect: async () => connection }, url)
  try {
    await client.connect()
    await db.query({ text: 'set idle_in_transaction_session_timeout = 0' })
    if (!(await tryExclusiveLock(db))) throw inUseError(url)
  } catch (error) {
    await client.end()
    throw storeError(error, url)
  }
  return { db, close: () => client.end() }
}

/** The lock is not enough: a worker may be about to connect again. Once the tables are known to be there. */
export async function assertNotInUse(db: Queryable, url: string): Promise<void> {
  if ((await listPossiblyActive(db, null)).length > 0) throw inUseError(url)
}

function inUseError(url: string): AppError {
  return new AppError(
    'DATA_IN_USE',
    `Workers or commands are at work on ${storeLocation(url)}, or were a moment ago. Stop them and wait half a minute, then move it; the command workers lists them.`,
  )
}
