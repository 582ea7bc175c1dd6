// A hash of a URL that is the same in every crawl and process: the first 8 bytes of its SHA-1, as a signed 64-bit
// integer.

import { hash } from 'node:crypto'

export function urlHash(url: string): bigint {
  return hash('sha1', url, 'buffer').readBigInt64LE(0)
}
