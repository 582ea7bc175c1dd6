// Request headers, and the response headers that a crawl needs.

import { CONNECTION_HEADERS } from '../../lib/connection-headers.ts'
import type { Validators } from '../../ports/leases.ts'
import { ACCEPT_ENCODING } from './decode-body.ts'

/** Headers with lower-case names. */
export type RequestHeaders = [name: string, value: string][]

const PAGE_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** A custom header replaces the default one. */
export function requestHeaders(userAgent: string, headers: readonly { name: string; value: string }[]): RequestHeaders {
  const custom = headers.map(({ name, value }): [string, string] => [name.toLowerCase(), value.trim()])
  const defaultHeaders: RequestHeaders = [
    ['user-agent', userAgent],
    ['accept', PAGE_ACCEPT],
    ['accept-language', 'en,*;q=0.5'],
    ['accept-encoding', ACCEPT_ENCODING],
  ]
  const defaults = defaultHeaders.filter(([defaultName]) => !custom.some(([name]) => name === defaultName))
  return [...defaults, ...custom.filter(([name]) => !CONNECTION_HEADERS.has(name))]
}

/**
 * Adds headers of one request to those of every request to its origin. Headers set by the user for the origin take
 * precedence.
 */
export function withExtraHeaders(headers: RequestHeaders, extraHeaders: RequestHeaders): RequestHeaders {
  const isAnonymous = extraHeaders.includes(ANONYMOUS)
  const isReplaced = ([name, value]: [string, string]) =>
    (isAnonymous && !ANONYMOUS_NAMES.has(name)) ||
    (name === 'accept' && value === PAGE_ACCEPT && extraHeaders.some(([extra]) => extra === name))
  const kept = headers.filter((header) => !isReplaced(header))
  return [
    ...kept,
    ...extraHeaders.filter((extra) => extra !== ANONYMOUS && !kept.some(([known]) => known === extra[0])),
  ]
}

/** Marks a request that goes without cookies and credentials. Any header of the user's own may be one. */
export const ANONYMOUS: [name: string, value: string] = ['', '']
const ANONYMOUS_NAMES = new Set([
  'connection',
  'user-agent',
  'accept',
  'accept-language',
  'accept-encoding',
  'proxy-authorization',
])

/** Adds the cookies of the jar. A Cookie header set by the user takes precedence. */
export function withCookies(headers: RequestHeaders, cookies: string | null): RequestHeaders {
  return cookies === null || headers.includes(ANONYMOUS) ? headers : [...headers, ['cookie', cookies]]
}

/** Header lines of a request, host first; each line includes its line break. */
export function headerLines(headers: RequestHeaders, host: string): string {
  const named = headers.some(([name]) => name === 'host') ? headers : [['host', host], ...headers]
  return toLines(named as RequestHeaders)
}

function toLines(headers: RequestHeaders): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

/** Visible characters of Latin-1: anything else could end the header. */
const HEADER_TEXT = /^[\x20-\x7e\x80-\xff]+$/

const MAX_FORWARDED_CHARS = 1024
/** Headers that a page may set on its requests for data. They never include credentials. */
const FORWARDED = new Set(['accept', 'content-type', 'origin'])

/** The headers of a request for data by a page that are passed on to the server. */
export function forwardedHeaders(headers: readonly [string, string][]): RequestHeaders {
  return headers.flatMap(([given, value]): RequestHeaders => {
    const name = given.toLowerCase()
    const isText = HEADER_TEXT.test(value) && value.length <= MAX_FORWARDED_CHARS
    return FORWARDED.has(name) && isText ? [[name, value]] : []
  })
}

/** Headers of a request whose response may be 304. */
export function conditionalHeaders({ etag, lastModified }: Validators): RequestHeaders {
  const given: [string, string | null][] = [
    ['if-none-match', etag],
    ['if-modified-since', lastModified],
  ]
  return given.flatMap(
    ([name, value]): RequestHeaders => (value !== null && HEADER_TEXT.test(value) ? [[name, value]] : []),
  )
}

/** Alternating names and values as received, one character per byte. */
export type ResponseHeaders = readonly string[]

const MAX_LINK_CHARS = 8 * 1024
/** A longer one would be stored for every page, and sent back with every request. */
const MAX_VALIDATOR_CHARS = 1024

/** `name` is in lower case, here and below. */
export function firstHeader(headers: ResponseHeaders, name: string): string | null {
  for (let i = 0; i + 1 < headers.length; i += 2) if (isNamed(headers[i], name)) return headers[i + 1] ?? null
  return null
}

export function allHeaders(headers: ResponseHeaders, name: string): string[] {
  const values: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) if (isNamed(headers[i], name)) values.push(headers[i + 1] ?? '')
  return values
}

export function joinHeaderValues(headers: ResponseHeaders, name: string, separator: string): string | null {
  const values = allHeaders(headers, name)
  return values.length === 0 ? null : values.join(separator)
}

function isNamed(text: string | undefined, name: string): boolean {
  return text?.length === name.length && text.toLowerCase() === name
}

export function readLocation(headers: ResponseHeaders): string | null {
  const location = firstHeader(headers, 'location')
  return location === null ? null : escapeBytes(location)
}

export function readLinkHeader(headers: ResponseHeaders): string | null {
  const links = joinHeaderValues(headers, 'link', ', ')
  return links === null ? null : escapeBytes(links.slice(0, MAX_LINK_CHARS))
}

/** ETag or Last-Modified. */
export function readValidator(headers: ResponseHeaders, name: string): string | null {
  const value = firstHeader(headers, name)
  return value === null || value.length > MAX_VALIDATOR_CHARS ? null : value
}

/** Headers are Latin-1, one character per byte. Raw bytes are escaped unchanged, like in browsers: most are UTF-8. */
function escapeBytes(text: string): string {
  return text.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
