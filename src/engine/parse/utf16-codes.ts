import { GREATER } from './characters.ts'

// Pages up to this length share one array; a longer page gets its own, which goes with it.
export const SHARED_LENGTH = 131_072

const sharedBytes = Buffer.alloc(2 * (SHARED_LENGTH + 1))
const sharedCodes = new Uint16Array(sharedBytes.buffer, sharedBytes.byteOffset, SHARED_LENGTH + 1)

/**
 * The UTF-16 codes of a page and behind them one `>`, so that a scan inside a tag needs no length check. Walking them
 * takes half the time of charCodeAt (0.75 against 1.65 ns a step, 2026-11). Valid until the next call.
 */
export function toSharedCodes(html: string): Uint16Array {
  if (html.length <= SHARED_LENGTH) return fill(sharedBytes, sharedCodes, html)
  const bytes = Buffer.allocUnsafeSlow(2 * (html.length + 1))
  return fill(bytes, new Uint16Array(bytes.buffer), html)
}

function fill(bytes: Buffer, codes: Uint16Array, html: string): Uint16Array {
  bytes.write(html, 0, 'utf16le')
  codes[html.length] = GREATER
  return codes
}

/** The codes of a string, in an array of their own. */
export function copyCodes(text: string): Uint16Array {
  const codes = new Uint16Array(text.length)
  Buffer.from(codes.buffer).write(text, 0, 'utf16le')
  return codes
}
