// Cursors of lists: where the previous page ended, and which list it belongs to.

import { hash } from 'node:crypto'
import { AppError } from '../../lib/errors.ts'

const HASH_CHARS = 10

/** Distinguishes lists that differ in anything but their length. */
export function listFingerprint(...parts: unknown[]): string {
  return hash('sha1', JSON.stringify(parts), 'base64url').slice(0, HASH_CHARS)
}

export function encodeCursor(name: string, at: readonly number[]): string {
  return `${name}.${at.join('.')}`
}

/** Null if there is no cursor. */
export function decodeCursor(name: string, cursor: string | null, length: number): number[] | null {
  if (cursor === null) return null
  const [of, ...parts] = cursor.split('.')
  const isWhole = parts.length === length && parts.every((part) => /^-?\d{1,15}$/.test(part))
  if (of !== name || !isWhole) throw badCursorError()
  return parts.map(Number)
}

export function badCursorError(): AppError {
  return new AppError('BAD_CURSOR', 'The cursor does not belong to this list. Start the list again without it.')
}
