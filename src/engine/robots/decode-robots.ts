// Turns bytes into octets (see octets.ts), without byte order marks and within the size limit.

import { toOctets } from './octets.ts'

// RFC 9309 2.5: at least 500 KiB.
export const MAX_ROBOTS_BYTES = 512 * 1024

const UTF8_MARK = [0xef, 0xbb, 0xbf]

export function decodeRobots(text: string | Buffer): string {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text
  const isCut = bytes.length > MAX_ROBOTS_BYTES
  // One byte beyond the limit shows whether a line ends exactly there.
  const head = isCut ? bytes.subarray(0, MAX_ROBOTS_BYTES + 1) : bytes
  const octets = decodeByBom(head)
  return isCut ? octets.slice(0, lastLineEnd(octets)) : octets
}

function decodeByBom(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return toOctets(new TextDecoder('utf-16le').decode(bytes))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return toOctets(new TextDecoder('utf-16be').decode(bytes))
  let start = 0
  // Some editors truncate the mark, and the first line is the one that names the crawler.
  while (start < UTF8_MARK.length && bytes[start] === UTF8_MARK[start]) start++
  return bytes.toString('latin1', start)
}

/** Half a line is worse than none: a truncated `Disallow: /private` may read `Disallow: /`. */
function lastLineEnd(octets: string): number {
  return Math.max(octets.lastIndexOf('\n'), octets.lastIndexOf('\r'), 0)
}
