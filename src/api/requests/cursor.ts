// Encodes the start of the next page of a list as an opaque cursor.

import { AppError } from '../../lib/errors.ts'

export function writeCursor(...values: (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Throws unless the cursor has exactly these types of values. */
export function readCursor(cursor: string, types: readonly ('string' | 'number')[]): (string | number)[] {
  let values: unknown = null
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw badCursorError()
  }
  const isValid =
    Array.isArray(values) && values.length === types.length && values.every((value, i) => typeof value === types[i])
  if (!isValid) throw badCursorError()
  return values as (string | number)[]
}

export function badCursorError(): AppError {
  return new AppError('BAD_CURSOR', 'The cursor was not issued by this list. Omit it to start over.')
}
