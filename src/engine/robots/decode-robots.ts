// From bytes to octets (see octets.ts), free of byte order marks and no longer than the limit.

import { toOctets } from './octets.ts'

// RFC 9309 2.5: at least 500 KiB.
export const MAX_ROBOTS_BYTES = 512 * 1024

const UTF8_MARK = [0xef, 0xbb, 0xbf]

export function decodeRobots(text: string | Buffer): string {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text
  const isCut = bytes.length > MAX_ROBOTS_BYTES
  // One byte more than the limit shows whether a line ends right there.
  const head = isCut ? bytes.subarray(0, MAX_ROBOTS_BYTES + 1) : bytes
  const octets = decodeByBom(head)
  return isCut ? octets.slice(0, lastLineEnd(octets)) : octets
}

function decodeByBom(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return toOctets(new TextDecoder('utf-16le').decode(bytes))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return toOctets(new TextDecoder('utf-16be').decode(bytes))
  let start = 0
  // Editors that cut a mark in the middle exist, and the first line is the one that names the crawler.
  while (start < UTF8_MARK.length && bytes[start] === UTF8_MARK[start]) start++
  return bytes.toString('latin1', start)
}

/** Half a line is worse than none: `Disallow: /private` cut short may say `Disallow: /`. */
function lastLineEnd(octets: string): number {
  return Math.max(octets.lastIndexOf('\n'), octets.lastIndexOf('\r'), 0)
}
