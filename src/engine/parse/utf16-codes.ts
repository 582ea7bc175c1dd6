import { freeMemory } from '../../lib/free-memory.ts'
import { GREATER } from './characters.ts'

// Pages up to this length share one array; a longer page gets its own.
export const SHARED_LENGTH = 131_072

/** Long pages up to this length use arrays of this length, one of which is reused. */
const SPARE_LENGTH = 524_288
const spares: Uint16Array[] = []

const sharedBytes = Buffer.alloc(2 * (SHARED_LENGTH + 1))
const sharedCodes = new Uint16Array(sharedBytes.buffer, sharedBytes.byteOffset, SHARED_LENGTH + 1)

/**
 * The UTF-16 code units of a page followed by one `>`, so that a scan inside a tag needs no length check. Reading them
 * takes half the time of charCodeAt (0.75 against 1.65 ns per step, 2026-11). Valid until the next call.
 */
export function toSharedCodes(html: string): Uint16Array {
  if (html.length <= SHARED_LENGTH) return fill(sharedBytes, sharedCodes, html)
  const length = html.length + 1
  const isTooLong = length > SPARE_LENGTH
  const codes = (isTooLong ? undefined : spares.pop()) ?? new Uint16Array(isTooLong ? length : SPARE_LENGTH)
  return fill(Buffer.from(codes.buffer), codes, html)
}

/** Frees the codes of a very long page at once, up to 20 MB; the codes of a long page are kept for the next one. */
export function freeCodes(codes: Uint16Array): void {
  if (codes === sharedCodes) return
  if (codes.length === SPARE_LENGTH && spares.length === 0) spares.push(codes)
  else freeMemory(codes)
}

function fill(bytes: Buffer, codes: Uint16Array, html: string): Uint16Array {
  bytes.write(html, 0, 'utf16le')
  codes[html.length] = GREATER
  return codes
}

/** The code units of a string, in a new array. */
export function copyCodes(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  Buffer.from(codes.buffer).write(text, 0, 'utf16le')
  return codes
}
