// Classifies the errors of the driver and the server, and explains them.

import pg from 'pg'
import { parseStoreUrl, type StoreUrl } from '../../config/values/store-url.ts'
import { AppError, asAppError } from '../../lib/errors.ts'

export function readStoreUrl(url: string): StoreUrl {
  const parsed = parseStoreUrl(url)
  if ('expected' in parsed) throw new AppError('BAD_CONFIG', `The store must be ${parsed.expected}.`)
  return parsed
}

/** The location of the store, without the password. */
export function storeLocation(url: string): string {
  return readStoreUrl(url).location
}

/** SQLSTATE codes of conflicts: deadlocks, locked rows. */
const CONFLICT = /^(40001|40P01|55P03)$/
/** Lost connections, shutdowns, too many connections. */
const UNREACHABLE = /^(08...|57P0[1-5]|53300|25P03)$/
/** The server is reachable but unusable: a standby, out of memory, a failing disk, or much too slow. */
const UNUSABLE = /^(25006|53200|58030|57014)$/
const READ_ONLY_CODE = '25006'
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  // The name may soon move to another machine. Opening the store still fails at once.
  'EAI_AGAIN',
  'ENOTFOUND',
])
/** The driver has no codes for these. */
const DRIVER_MESSAGES =
  /^Connection terminated|^Query read timeout|^timeout expired|^timeout exceeded when trying to connect|not queryable$/

/** The server must not be written to. */
export function readOnlyError(message: string): Error {
  return Object.assign(new Error(message), { code: READ_ONLY_CODE })
}

/** The data that the transaction read has changed: withRetries starts it again. */
export function overtakenError(): Error {
  return Object.assign(new Error('overtaken by another transaction'), { code: '40001' })
}

/** May succeed when it is retried. */
export function isTransient(error: unknown): boolean {
  return CONFLICT.test(codeOf(error)) || isUnavailable(error)
}

/** Whether the store itself cannot be used, as opposed to a conflict. */
export function isUnavailable(error: unknown): boolean {
  return isUnreachable(error) || UNUSABLE.test(codeOf(error))
}

/** Whether the server rejects writes: it is a standby, or about to become one. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY_CODE
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
