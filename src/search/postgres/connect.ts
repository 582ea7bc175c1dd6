// Connections of the index. Unlike those of the store they allow bitmap scans, which an inverted index needs;
// sequential scans stay off.

import pg from 'pg'
import { clientSettings } from '../../store/postgres/connect.ts'

export interface IndexConnectOptions {
  max: number
  /** Shown to administrators in the list of connections. */
  name: string
  /** Statement timeout on the server. */
  statementMs: number
}

/** A batch is analysed while its transaction is open; a frozen process must not hold its pages forever. */
const IDLE_IN_TRANSACTION_MS = 300_000
const IDLE_MS = 30_000

const OPTIONS = [
  ...['seqscan', 'hashjoin', 'mergejoin', 'material'].map((method) => `enable_${method}=off`),
  'jit=off',
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

export function openIndexPool(url: string, { max, name, statementMs }: IndexConnectOptions): pg.Pool {
  const settings = clientSettings(url, { name, statementMs, isWriting: true })
  const pool = new pg.Pool({ ...settings, options: OPTIONS, max, idleTimeoutMillis: IDLE_MS })
  // A broken connection fails the statement that uses it; an idle one is discarded.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}
