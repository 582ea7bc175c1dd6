// The connections of a process, and the classification of their errors.

import pg from 'pg'
import { AppError, asAppError } from '../../lib/errors.ts'

export interface ConnectOptions {
  /** Maximum number of connections; further callers wait. */
  max: number
  /** Shown in the server's list of connections. */
  name: string
  /** If false, the server rejects all writes. */
  isWriting: boolean
  /** After which the server cancels a statement; 0: never. */
  statementMs: number
}

const CONNECT_MS = 10_000
/** For commits and leases: a statement that takes longer is waiting for something that hangs. */
export const STATEMENT_MS = 30_000
/** A connection without a response for this much longer is dead, and is dropped. */
const RESPONSE_FACTOR = 1.25
/** TCP keepalive finds dead idle connections, starting after this time. */
const PROBE_MS = 10_000
/**
 * Between statements of a transaction only: a worker that froze or was disconnected there must not keep its locks for
 * long.
 */
const IDLE_IN_TRANSACTION_MS = 10_000
const IDLE_MS = 30_000
/** Use index plans only, since statistics lag behind tables that grow from nothing. */
const DISABLED_PLANS = ['seqscan', 'bitmapscan', 'material', 'hashjoin', 'mergejoin']
  .map((way) => `-c enable_${way}=off`)
  .join(' ')
const BY_INDEX = `${DISABLED_PLANS} -c jit=off -c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`

/** Rows read in batches come in index order, without sorting all remaining rows. */
const READ_ONLY = `${BY_INDEX} -c enable_bitmapscan=off -c default_transaction_read_only=on`

/** Ids and times are numbers; keys, which use all 64 bits, are selected as text. */
const BIGINT = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export function clientSettings(url: string, options: Omit<ConnectOptions, 'max'>): pg.ClientConfig {
  const { name, isWriting, statementMs } = options
  parseStoreUrl(url)
  return {
    connectionString: verifyCertificate(url),
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_MS,
    types,
    // Statements of a transaction that do not depend on each other are sent together.
    pipeline: true,
    ...(statementMs === 0 ? {} : { statement_timeout: statementMs, query_timeout: statementMs * RESPONSE_FACTOR }),
    options: isWriting ? BY_INDEX : READ_ONLY,
  }
}

/**
 * All encrypted sslmodes verify the certificate and its host name; only no-verify does not. The driver does the same
 * today, but warns that it will change.
 */
function verifyCertificate(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

export function openPool(url: string, options: ConnectOptions): pg.Pool {
  const pool = new pg.Pool({ ...clientSettings(url, options), max: options.max, idleTimeoutMillis: IDLE_MS })
  // A user of a broken connection gets the error from its statement; an idle one is not used again.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}

function parseStoreUrl(url: string): URL {
  const parsed = URL.parse(url)
  const isOurs = parsed !== null && (parsed.protocol === 'postgres:' || parsed.protocol === 'postgresql:')
  if (!isOurs) {
    throw new AppError('BAD_CONFIG', 'The store must be a URL such as postgres://user@host:5432/database.')
  }
  return parsed
}

/** The location of the store, without the password. */
export function storeLocation(url: string): string {
  const { hostname, port, pathname } = parseStoreUrl(url)
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`
}

/** SQLSTATE codes of conflicts: deadlocks, locked rows. */
const CONFLICT = /^(40001|40P01|55P03)$/
/** Lost connections, shutdowns, too many connections. */
const UNREACHABLE = /^(08...|57P0[1-5]|53300|25P03)$/
/** The server is reachable but unusable: a standby, out of memory, a failing disk, or much too slow. */
const UNUSABLE = /^(25006|53200|58030|57014)$/
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  // The name may move to another machine in a moment. Opening the store still fails at once.
  'EAI_AGAIN',
  'ENOTFOUND',
])
/** The driver has no codes for these. */
const DRIVER_MESSAGES =
  /^Connection terminated|^Query read timeout|^timeout expired|^timeout exceeded when trying to connect|not queryable$/

/** What the transaction read has changed: withRetries starts it again. */
export function overtakenError(): Error {
  return Object.assign(new Error('overtaken by another transaction'), { code: '40001' })
}

/** May succeed when it is retried. */
export function isTransient(error: unknown): boolean {
  return CONFLICT.test(codeOf(error)) || isUnavailable(error)
}

/** Not a conflict: the store itself cannot be used. */
export function isUnavailable(error: unknown): boolean {
  return isUnreachable(error) || UNUSABLE.test(codeOf(error))
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  const code = codeOf(error)
  return (
    UNREACHABLE.test(code) || NETWORK_CODES.has(code) || (error instanceof Error && DRIVER_MESSAGES.test(error.message))
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function storeError(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error
  const place = storeLocation(url)
  const options = { cause: error }
  const inner = error instanceof AggregateError ? error.errors[0] : error
  const text = inner instanceof Error ? inner.message : String(inner)
  const code = codeOf(inner)
  if (code === '3D000') {
    return new AppError('DATA_NOT_FOUND', `There is no database at ${place}. Create it with: createdb`, options)
  }
  if (code.startsWith('28')) {
    return new AppError('STORE_FAILED', `Postgres at ${place} rejected the user or password: ${text}`, options)
  }
  if (code === '53100') return new AppError('DISK_FULL', `The disk of Postgres at ${place} is full.`, options)
  if (isUnreachable(error)) {
    return new AppError('STORE_AWAY', `Postgres at ${place} cannot be reached: ${text}`, options)
  }
  if (isUnavailable(error)) return new AppError('STORE_AWAY', `Postgres at ${place} is not usable: ${text}`, options)
  if (!(inner instanceof pg.DatabaseError)) return asAppError(error)
  return new AppError('STORE_FAILED', `Postgres at ${place} failed: ${text}`, options)
}
