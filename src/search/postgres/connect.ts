// Connections of the index. Unlike those of the store they may plan with bitmaps, without which an inverted index is of
// no use; whole tables are still never read.

import pg from 'pg'
import { clientSettings } from '../../store/postgres/connect.ts'

export interface IndexConnectOptions {
  max: number
  /** What administrators see in the list of connections. */
  name: string
  /** After which the server gives up a statement. */
  statementMs: number
}

/** A batch is read and analysed while its transaction is open; who freezes there must not keep its pages for ever. */
const IDLE_IN_TRANSACTION_MS = 300_000
const IDLE_MS = 30_000

const OPTIONS = [
  ...['seqscan', 'hashjoin', 'mergejoin', 'material'].map((way) => `enable_${way}=off`),
  ...['jit=off', `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`],
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

export function openIndexPool(url: string, { max, name, statementMs }: IndexConnectOptions): pg.Pool {
  const settings = clientSettings(url, { name, statementMs, isWriting: true })
  const pool = new pg.Pool({ ...settings, options: OPTIONS, max, idleTimeoutMillis: IDLE_MS })
  // Whoever uses a connection that breaks hears of it from its statement; one that nobody uses is not used again.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}
