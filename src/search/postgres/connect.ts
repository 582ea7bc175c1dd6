// Connections of the index. Unlike connections of the store they allow bitmap scans, which an inverted index needs;
// sequential scans stay off.

import type pg from 'pg'
import { openPool } from '../../store/postgres/connect.ts'

export interface IndexConnectOptions {
  max: number
  /** Shown to administrators in the list of connections. */
  name: string
  /** Statement timeout on the server. */
  statementMs: number
}

/** A batch is analysed while its transaction is open; a frozen process must not hold its pages forever. */
const IDLE_IN_TRANSACTION_MS = 300_000

const SESSION_SETTINGS = [
  ...['seqscan', 'hashjoin', 'mergejoin', 'material'].map((method) => `enable_${method}=off`),
  'jit=off',
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
]

export function openIndexPool(url: string, options: IndexConnectOptions): pg.Pool {
  return openPool(url, { ...options, isWriting: true, sessionSettings: SESSION_SETTINGS })
}
