// The one connection that a move has to a database. It holds the lock that says somebody is at work, alone, so that
// nobody else is until it ends; the server lets go of it however that happens.

import pg from 'pg'
import { AppError } from '../../lib/errors.ts'
import { clientSettings, placeOf, storeError } from './connect.ts'
import { telling } from './connections.ts'
import { tryAlone } from './presence.ts'
import type { Connection, Connections } from './query.ts'

export interface AloneConnection {
  /** All on the same connection. */
  db: Connections
  close(): Promise<void>
}

export async function connectAlone(url: string, isWriting: boolean): Promise<AloneConnection> {
  const settings = clientSettings(url, { name: 'orbweaver move', isWriting })
  const client = new pg.Client({ ...settings, statement_timeout: 0 })
  // Whoever waits for an answer is told.
  client.on('error', () => undefined)
  const connection: Connection = { query: (statement) => client.query(statement), release: () => undefined }
  const db = telling({ query: connection.query, connect: async () => connection }, url)
  try {
    await client.connect()
    await db.query({ text: 'set idle_in_transaction_session_timeout = 0' })
    if ((await tryAlone(db)) === null) {
      throw new AppError(
        'DATA_IN_USE',
        `Workers or commands are at work on ${placeOf(url)}. Stop them, then move it; the command workers lists them.`,
      )
    }
  } catch (error) {
    await client.end()
    throw storeError(error, url)
  }
  return { db, close: () => client.end() }
}
