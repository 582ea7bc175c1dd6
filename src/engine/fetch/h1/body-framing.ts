// Determines the end of a response body, and whether its connection can be reused (RFC 9112, 6.3 and 9.3).

import { trimSpaces } from '../../parse/characters.ts'
import { firstHeader, joinHeaderValues, type ResponseHeaders } from '../headers.ts'
import type { H1ResponseHead } from './response-head.ts'

/** Length in bytes, or how else the end is found. */
export type BodyFraming = number | 'chunked' | 'closed'

const NO_BODY = new Set([204, 304])
/** Default for servers that do not announce a timeout; less than most of them wait. */
export const KEEP_ALIVE_MS = 4000
const MAX_KEEP_ALIVE_MS = 60_000
/** A server may close an idle connection while a request is on its way. */
const MARGIN_MS = 1000

/** Returns an error code if the framing is invalid. */
export function readBodyFraming({ status, headers }: H1ResponseHead): BodyFraming | { code: string } {
  if (status < 200 || NO_BODY.has(status)) return 0
  const codings = transferCodings(headers)
  // We send no TE, so no other coding is allowed (RFC 9112, 7.4), and an unknown one cannot be decoded.
  if (codings.some((coding) => coding !== 'chunked')) return { code: 'ENCODING_UNSUPPORTED' }
  if (codings.length > 0) return 'chunked'
  const length = joinHeaderValues(headers, 'content-length', ',')
  if (length === null) return 'closed'
  const [first = '', ...others] = partsOf(length)
  if (!/^0*\d{1,15}$/.test(first) || others.some((other) => other !== first)) return { code: 'LENGTH_INVALID' }
  return Number(first)
}

function transferCodings(headers: ResponseHeaders): string[] {
  const codings = joinHeaderValues(headers, 'transfer-encoding', ',')
  if (codings === null) return []
  return partsOf(codings.toLowerCase()).filter((coding) => coding !== '' && coding !== 'identity')
}

function partsOf(list: string): string[] {
  return list.split(',').map(trimSpaces)
}

/** How long the connection may wait for the next request; 0 if it cannot be reused. */
export function readKeepAliveMs({ headers, isBeforeHttp11 }: H1ResponseHead, end: BodyFraming): number {
  if (end === 'closed') return 0
  // A body with two conflicting framings is not trusted.
  if (end === 'chunked' && firstHeader(headers, 'content-length') !== null) return 0
  const connection = joinHeaderValues(headers, 'connection', ',')?.toLowerCase() ?? ''
  if (connection.includes('close') || (isBeforeHttp11 && !connection.includes('keep-alive'))) return 0
  const hint = /(?:^|[,\s])timeout=(\d+)/i.exec(joinHeaderValues(headers, 'keep-alive', ',') ?? '')
  if (hint === null) return KEEP_ALIVE_MS
  return Math.min(Math.max(0, Number(hint[1]) * 1000 - MARGIN_MS), MAX_KEEP_ALIVE_MS)
}
