// The only connection of a transfer to a database. It holds the presence lock exclusively, so that no other process can
// work on the database until it ends; the server releases the lock in any case.

import { AppError } from '../../lib/errors.ts'
import { connectClient } from '../postgres/connect.ts'
import { wrapWithStoreErrors } from '../postgres/connections.ts'
import { listPossiblyActive, tryExclusiveLock } from '../postgres/presence.ts'
import type { Connection, Connections, Queryable } from '../postgres/query.ts'
import { Servers } from '../postgres/servers.ts'
import { storeError, storeLocation } from '../postgres/store-errors.ts'

export interface ExclusiveConnection {
  /** All statements use the same connection. */
  db: Connections
  close(): Promise<void>
}

export async function connectExclusively(url: string, isWriting: boolean): Promise<ExclusiveConnection> {
  const options = { name: 'orbweaver move', isWriting, statementMs: 0 }
  const client = await connectClient(new Servers(url), options).catch((error: unknown) => {
    throw storeError(error, url)
  })
  const connection: Connection = { query: (statement) => client.query(statement), release: () => undefined }
  const db = wrapWithStoreErrors({ query: connection.query, connect: async () => connection }, url)
  try {
    await db.query({ text: 'set idle_in_transaction_session_timeout = 0' })
    if (!(await tryExclusiveLock(db))) throw inUseError(url)
  } catch (error) {
    await client.end()
    throw storeError(error, url)
  }
  return { db, close: () => client.end() }
}

/** The lock is not enough: a worker may be about to reconnect. Call it once the tables are known to exist. */
export async function assertNotInUse(db: Queryable, url: string): Promise<void> {
  if ((await listPossiblyActive(db, null)).length > 0) throw inUseError(url)
}

function inUseError(url: string): AppError {
  return new AppError(
    'DATA_IN_USE',
    `Workers or commands are using ${storeLocation(url)}, or were a moment ago. Stop them, wait half a minute, then move it. List them with: orbweaver workers`,
  )
}
