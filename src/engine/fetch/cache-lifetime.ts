// How long a response stays fresh in a private cache, according to its headers (RFC 9111, section 4.2.1).

import { readDate } from '../sitemap/read-date.ts'
import { firstHeader, joinHeaderValues, type ResponseHeaders } from './headers.ts'

const MAX_AGE = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i
const IS_NOT_CACHED = /(?:^|[\s,])no-(?:cache|store)(?=$|[\s,;])/i

/** Null if the server does not say. */
export function readCacheLifetime(headers: ResponseHeaders, now: number): number | null {
  const control = joinHeaderValues(headers, 'cache-control', ', ')
  if (control !== null) {
    if (IS_NOT_CACHED.test(control)) return 0
    const seconds = MAX_AGE.exec(control)?.[1]
    if (seconds !== undefined) return Number(seconds) * 1000
  }
  const expires = firstHeader(headers, 'expires')
  if (expires === null) return null
  const sentAt = readDate(firstHeader(headers, 'date') ?? '') ?? now
  // Anything that is not a date means the past.
  return Math.max(0, (readDate(expires) ?? 0) - sentAt)
}
