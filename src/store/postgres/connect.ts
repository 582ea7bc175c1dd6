// The connections of one process, and names for what can go wrong with them.

import pg from 'pg'
import { AppError, asAppError } from '../../lib/errors.ts'

export interface ConnectOptions {
  /** Connections at a time; what needs one more waits. */
  max: number
  /** What administrators see in the list of connections. */
  name: string
  /** If not, the server lets nothing be written. */
  isWriting: boolean
  /** After which the server gives up a statement; 0: never. */
  statementMs: number
}

const CONNECT_MS = 10_000
/** For the statements of commits and leases: what takes longer waits for somebody who stands still. */
export const STATEMENT_MS = 30_000
/** A connection that says nothing for so much longer is dead, and is dropped. */
const RESPONSE_FACTOR = 1.25
/** A dead connection that nobody waits on is found by probes of the system, which begin after this time. */
const PROBE_MS = 10_000
/** Between statements of a transaction only: a worker that froze or was cut off there must not keep its locks for long. */
const IDLE_IN_TRANSACTION_MS = 10_000
const IDLE_MS = 30_000
/** Plans by index only, whatever the statistics say: they lag behind tables that grow from nothing. */
const OFF = ['seqscan', 'bitmapscan', 'material', 'hashjoin', 'mergejoin']
  .map((way) => `-c enable_${way}=off`)
  .join(' ')
const BY_INDEX = `${OFF} -c jit=off -c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`

/** Rows that are read in pieces come in the order of their index, without a sort of all that are left. */
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
    // Statements of a transaction that do not need each other's answers go out together.
    pipeline: true,
    ...(statementMs === 0 ? {} : { statement_timeout: statementMs, query_timeout: statementMs * RESPONSE_FACTOR }),
    options: isWriting ? BY_INDEX : READ_ONLY,
  }
}

/**
 * Whoever asks for encryption by any of these modes has the certificate checked, and the name in it; only no-verify does
 * without. The driver means the same today, warns, and will mean less.
 */
function verifyCertificate(url: string): string {
  if (/[?&]uselibpqcompat=true(&|$)/.test(url)) return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

export function openPool(url: string, options: ConnectOptions): pg.Pool {
  const pool = new pg.Pool({ ...clientSettings(url, options), max: options.max, idleTimeoutMillis: IDLE_MS })
  // Whoever uses a connection that breaks hears of it from its statement; one that nobody uses is not used again.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  return pool
}

function parseStoreUrl(url: string): URL {
  const parsed = URL.parse(url)
  const isOurs = parsed !== null && (parsed.protocol === 'postgres:' || parsed.protocol === 'postgresql:')
  if (!isOurs) {
    throw new AppError('BAD_CONFIG', 'The store must be a url such as postgres://user@host:5432/database.')
  }
  return parsed
}

/** Where the store is, without the password. */
export function storeLocation(url: string): string {
  const { hostname, port, pathname } = parseStoreUrl(url)
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`
}

/** SQLSTATE: somebody else was in the way: deadlocks, rows that are locked. */
const CONFLICT = /^(40001|40P01|55P03)$/
/** Lost connections, shutdowns, too many connections. */
const UNREACHABLE = /^(08...|57P0[1-5]|53300|25P03)$/
/** The server is there and cannot: it follows another, is short of memory, its disk fails, or it is much too slow. */
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
  // Its name may be with another machine in a moment. Who opens the store is told at once all the same.
  'EAI_AGAIN',
  'ENOTFOUND',
])
/** The driver has no codes for these. */
const DRIVER_MESSAGES =
  /^Connection terminated|^Query read timeout|^timeout expired|^timeout exceeded when trying to connect|not queryable$/

/** What a transaction saw is no more: whoever persists begins it anew. */
export function overtakenError(): Error {
  return Object.assign(new Error('overtaken by another transaction'), { code: '40001' })
}

/** What may be well in a moment, so that trying again makes sense. */
export function isTransient(error: unknown): boolean {
  return CONFLICT.test(codeOf(error)) || isUnavailable(error)
}

/** Nobody else is in the way: the store itself cannot be used. */
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
    return new AppError('DATA_NOT_FOUND', `There is no database at ${place}. Make it with: createdb`, options)
  }
  if (code.startsWith('28')) {
    return new AppError('STORE_FAILED', `Postgres at ${place} refuses the user or the password: ${text}`, options)
  }
  if (code === '53100') return new AppError('DISK_FULL', `The disk of Postgres at ${place} is full.`, options)
  if (isUnreachable(error)) {
    return new AppError('STORE_AWAY', `Postgres at ${place} cannot be reached: ${text}`, options)
  }
  if (isUnavailable(error))
    return new AppError('STORE_AWAY', `Postgres at ${place} cannot do its work: ${text}`, options)
  if (!(inner instanceof pg.DatabaseError)) return asAppError(error)
  return new AppError('STORE_FAILED', `Postgres at ${place} failed: ${text}`, options)
}
