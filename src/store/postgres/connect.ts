// Opens every connection to the database: pools, and single connections that stay open.

import pg from 'pg'
import { makeClientClass, ServerPool } from './server-client.ts'
import { Servers } from './servers.ts'

export interface ClientOptions {
  /** Shown in the server's list of connections. */
  name: string
  /** If false, the server rejects all writes. */
  isWriting: boolean
  /** Statement timeout on the server; 0 for none. */
  statementMs: number
  /** Planner and session settings of the server; by default those of the store. */
  sessionSettings?: string[]
}

export interface ConnectOptions extends ClientOptions {
  /** Maximum number of connections; further callers wait. */
  max: number
}

/** Timeout of commits and leases: a statement that takes longer is waiting for something that hangs. */
export const STATEMENT_MS = 30_000
/** A connection without a response for this much longer is dead, and is dropped. */
const RESPONSE_FACTOR = 1.25
/** TCP keepalive finds dead idle connections, starting after this time. */
const PROBE_MS = 10_000
/**
 * Applies only between statements of a transaction: a worker that froze or was disconnected there must not keep its
 * locks for long.
 */
const IDLE_IN_TRANSACTION_MS = 10_000
const IDLE_MS = 30_000
const FREE_CONNECTION_MS = 10_000
/** Use index plans only, since statistics lag behind tables that grow from nothing. */
const DISABLED_PLANS = ['seqscan', 'bitmapscan', 'material', 'hashjoin', 'mergejoin']
const BY_INDEX = [
  ...DISABLED_PLANS.map((way) => `enable_${way}=off`),
  'jit=off',
  `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
]
const READ_ONLY = 'default_transaction_read_only=on'

/** Ids and times are numbers; keys, which use all 64 bits, are selected as text. */
const BIGINT = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Pools of a thread share their servers, so that all of them fail over together. */
export function openPool(servers: Servers | string, options: ConnectOptions): pg.Pool {
  const shared = typeof servers === 'string' ? new Servers(servers) : servers
  // Longer than it may take to open and check a connection. Callers wait as long for a free connection.
  const connectionTimeoutMillis = Math.max(FREE_CONNECTION_MS, 2 * shared.connectTimeoutMs)
  const pool = { max: options.max, idleTimeoutMillis: IDLE_MS, connectionTimeoutMillis }
  return new ServerPool(shared, options.isWriting, { ...clientSettings(options), ...pool })
}

/** A single connection, outside of any pool. */
export function connectClient(servers: Servers, options: ClientOptions): Promise<pg.Client> {
  const Client = makeClientClass(servers, options.isWriting)
  return servers.connectInTurn(() => new Client(clientSettings(options)).connect())
}

function clientSettings(options: ClientOptions): pg.ClientConfig {
  const { name, isWriting, statementMs, sessionSettings = BY_INDEX } = options
  return {
    application_name: name,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_MS,
    types,
    // Statements of a transaction that do not depend on each other are sent together.
    pipeline: true,
    ...(statementMs === 0 ? {} : { statement_timeout: statementMs, query_timeout: statementMs * RESPONSE_FACTOR }),
    options: [...sessionSettings, ...(isWriting ? [] : [READ_ONLY])].map((setting) => `-c ${setting}`).join(' '),
  }
}
