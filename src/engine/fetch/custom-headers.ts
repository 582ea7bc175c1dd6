// Decides which origins receive the custom headers of a crawl. Any header may contain a password, so it is sent only
// to the origins of the start URLs, or to the origin named on its line: links, redirects and sitemaps lead anywhere.

import { type DigestCredentials, parseAuthEntry } from '../../config/values/auth-entry.ts'
import { ANY_ORIGIN, type CustomHeader, parseCustomHeader, START_ORIGINS } from '../../config/values/custom-header.ts'
import { type RequestHeaders, requestHeaders } from './headers.ts'

export interface HeaderSettings {
  userAgent: string
  /** Lines as `parseCustomHeader` reads them. */
  headers: readonly string[]
  /** Entries as `parseAuthEntry` reads them. */
  auth: readonly string[]
  /** URLs; their origins get headers that name none. */
  startUrls: readonly string[]
}

/** A header with the same value in every request, or credentials that make a new one each time. */
type GivenHeader = Omit<CustomHeader, 'value'> & { value: string | DigestCredentials }

/** The headers of every request to an origin. */
export function headersByOrigin(settings: HeaderSettings): (origin: string) => RequestHeaders {
  const headersOf = chooseHeaders(settings)
  return (origin) => {
    const fixed = headersOf(origin).flatMap(({ value, ...header }) =>
      typeof value === 'string' ? [{ ...header, value }] : [],
    )
    return requestHeaders(settings.userAgent, fixed)
  }
}

/** The credentials for an origin; null if no entry is for digest authentication. */
export function digestByOrigin(settings: HeaderSettings): ((origin: string) => DigestCredentials | null) | null {
  if (!settings.auth.some((entry) => typeof parseAuthEntry(entry)?.authorization === 'object')) return null
  const headersOf = chooseHeaders(settings)
  return (origin) =>
    headersOf(origin)
      .map(({ value }) => value)
      .find((value) => typeof value === 'object') ?? null
}

/** A header for one origin replaces a header with the same name for all. */
function chooseHeaders({
  headers,
  auth,
  startUrls,
}: Omit<HeaderSettings, 'userAgent'>): (origin: string) => GivenHeader[] {
  const given: GivenHeader[] = [...headers.flatMap((line) => parseCustomHeader(line) ?? []), ...auth.flatMap(toHeader)]
  const startOrigins = new Set(startUrls.flatMap((url) => withUpgrade(new URL(url).origin)))
  return (origin) => {
    const isStart = startOrigins.has(origin)
    // Credentials for a host are sent without TLS only if the user starts there without it.
    const isSafe = isStart || origin.startsWith('https:')
    const { host, hostname } = new URL(origin)
    // A host without a port means the host of a start URL on any port.
    const targets = [origin, ...(isSafe ? [host] : []), ...(isStart ? [hostname, START_ORIGINS] : []), ANY_ORIGIN]
    return given.filter(({ target: to, name }) => {
      const nearest = targets.find((target) =>
        given.some((other) => other.target === target && isSame(other.name, name)),
      )
      return to === nearest
    })
  }
}

function toHeader(entry: string): GivenHeader[] {
  const parsed = parseAuthEntry(entry)
  return parsed === null ? [] : [{ target: parsed.target, name: 'authorization', value: parsed.authorization }]
}

/**
 * Sites whose start URL is http often redirect to https with the same name. Headers that may be sent in the clear may
 * be sent there. This does not apply in the other direction, nor to explicit ports, which can be two services.
 */
function withUpgrade(origin: string): string[] {
  const upgraded = /^http:(\/\/(?:\[[^\]]*\]|[^:]*))$/.exec(origin)?.[1]
  return upgraded === undefined ? [origin] : [origin, `https:${upgraded}`]
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
