// Cursors of lists that are made here, from values that say where the next page begins.

import { AppError } from '../../lib/errors.ts'

export function writeCursor(...values: (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** As many values of these types as were written. */
export function readCursor(cursor: string, types: readonly ('string' | 'number')[]): (string | number)[] {
  let values: unknown = null
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw badCursorError()
  }
  const isOurs =
    Array.isArray(values) && values.length === types.length && values.every((value, i) => typeof value === types[i])
  if (!isOurs) throw badCursorError()
  return values as (string | number)[]
}

export function badCursorError(): AppError {
  return new AppError('BAD_CURSOR', 'The cursor is not one that this list gave out. Leave it out to start over.')
}
