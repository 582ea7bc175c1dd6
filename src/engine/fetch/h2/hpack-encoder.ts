// Writes request headers for HTTP/2 (HPACK, RFC 7541), without a table of our own: the headers of an origin are encoded
// once, and only the path is added to each request.

import { staticNumber } from './static-table.ts'

/** Proxies may not put these into their tables (section 7.1.3). */
const SECRET_NAMES = new Set(['authorization', 'cookie', 'proxy-authorization'])
const LITERAL = { mask: 0x0f, flags: 0x00 }
const LITERAL_SECRET = { mask: 0x0f, flags: 0x10 }
const TEXT = { mask: 0x7f, flags: 0x00 }

/** Tells the peer, once, that we use no table, if it allows a smaller one than the default (section 4.2). */
export const EMPTY_TABLE = Buffer.from([0x20])

export function encodeField(name: string, value: string): Buffer {
  const number = staticNumber(name)
  return Buffer.concat([
    encodeNumber(number, SECRET_NAMES.has(name) ? LITERAL_SECRET : LITERAL),
    ...(number === 0 ? [encodeText(name)] : []),
    encodeText(value),
  ])
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  return Buffer.concat([encodeNumber(bytes.length, TEXT), bytes])
}

/** Section 5.1. */
function encodeNumber(number: number, { mask, flags }: { mask: number; flags: number }): Buffer {
  if (number < mask) return Buffer.from([flags | number])
  const bytes = [flags | mask]
  let rest = number - mask
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80)
  return Buffer.from([...bytes, rest])
}
