// The cookies of a crawl, after RFC 6265bis. A crawler differs from a browser in two ways: there is no SameSite, since
// every request comes from the user, and session cookies last as long as the crawl.

import { type ParsedCookie, parseCookieLine, parseSetCookie } from '../../../config/values/cookie-line.ts'
import type { Clock } from '../../../lib/clock.ts'
import { normaliseHostname } from '../../../lib/hostname.ts'
import { parseHost, siteOf } from '../../../lib/site.ts'
import { MAX_COOKIES, MAX_KEY_CHARS, type StoredCookie } from '../../../ports/cookies.ts'
import { allHeaders, type ResponseHeaders } from '../headers.ts'

/** A site cannot displace the cookies of others. RFC 6265, section 6.1, asks for at least 50 per domain. */
const MAX_PER_SITE = 150
/** Limit per response. Its head has at most 32 KiB. */
const MAX_RECEIVED = 50
/** Servers refuse longer headers. */
const MAX_HEADER_CHARS = 8192
const DAY_MS = 86_400_000
const LONGEST_LIFE_MS = 400 * DAY_MS

interface CookieUrl {
  host: string
  path: string
  isSecure: boolean
}

export class CookieJar {
  readonly #clock: Clock
  /** Cookies by site, then by domain, path and name; in the order in which they changed or were sent. */
  readonly #bySite = new Map<string, Map<string, StoredCookie>>()
  /** The cookies to start with by their keys, and their sites. */
  readonly #startKeys = new Set<string>()
  readonly #startSites = new Set<string>()
  readonly #changed = new Map<string, StoredCookie>()
  #size = 0

  /** `lines` are initial cookies, which cookies in the store replace. */
  constructor(lines: readonly string[], clock: Clock) {
    this.#clock = clock
    for (const cookie of givenCookies(lines, clock.now())) {
      this.#startSites.add(siteOf(cookie.domain))
      this.#startKeys.add(keyOf(cookie))
      this.#put(cookie)
    }
  }

  /** The Cookie header for a URL; null if it has none. Longer paths first, then older cookies (section 5.8.3). */
  headerFor(url: string): string | null {
    if (this.#size === 0) return null
    const target = readUrl(url)
    const now = this.#clock.now()
    const ofSite = this.#bySite.get(siteOf(target.host))
    if (ofSite === undefined) return null
    const fitting = [...ofSite.values()].filter((cookie) => fits(cookie, target) && !isExpired(cookie, now))
    if (fitting.length === 0) return null
    for (const cookie of fitting) moveToEnd(ofSite, cookie)
    fitting.sort((a, b) => b.path.length - a.path.length || a.createdAt - b.createdAt)
    let header = ''
    for (const { name, value } of fitting) {
      const pair = name === '' ? value : `${name}=${value}`
      if (header.length + pair.length + 2 <= MAX_HEADER_CHARS) header += header === '' ? pair : `; ${pair}`
    }
    return header
  }

  /** Takes the Set-Cookie headers of a response. Returns whether it has any. */
  receive(url: string, headers: ResponseHeaders): boolean {
    const lines = allHeaders(headers, 'set-cookie').slice(0, MAX_RECEIVED)
    for (const line of lines) {
      const parsed = parseSetCookie(line)
      if (parsed !== null) this.#add(parsed, readUrl(url))
    }
    return lines.length > 0
  }

  /** Cookies that have changed since the last call. */
  takeChanges(): StoredCookie[] {
    const changes = [...this.#changed.values()]
    this.#changed.clear()
    return changes
  }

  /** Takes what others have changed. Own changes that were not saved yet stay. */
  merge(cookies: readonly StoredCookie[]): void {
    for (const cookie of cookies) if (!this.#changed.has(keyOf(cookie))) this.#put(cookie)
  }

  #add(parsed: ParsedCookie, from: CookieUrl): void {
    const domain = domainFor(parsed, from.host)
    if (domain === null || (parsed.isSecure && !from.isSecure)) return
    const place = { ...domain, path: parsed.path ?? defaultPath(from.path) }
    const cookie = toCookie(parsed, place, this.#clock.now())
    if (keyOf(cookie).length > MAX_KEY_CHARS) return
    // A page without TLS must not replace a cookie that was set with it.
    const known = this.#bySite.get(siteOf(cookie.domain))?.get(keyOf(cookie))
    if (known?.isSecure && !from.isSecure) return
    if (known !== undefined) cookie.createdAt = known.createdAt
    // Sites set the same cookie with every response. It is saved again once a day at most, for its expiry.
    if (known !== undefined && isSame(known, cookie)) return
    if (known === undefined && isExpired(cookie, this.#clock.now())) return
    this.#changed.set(keyOf(cookie), cookie)
    this.#put(cookie)
  }

  #put(cookie: StoredCookie): void {
    const site = siteOf(cookie.domain)
    const ofSite = this.#bySite.get(site) ?? new Map<string, StoredCookie>()
    const key = keyOf(cookie)
    if (ofSite.delete(key)) this.#size -= 1
    if (!isExpired(cookie, this.#clock.now())) {
      ofSite.set(key, cookie)
      this.#size += 1
    }
    if (ofSite.size > MAX_PER_SITE) this.#dropFirst(ofSite)
    // Moved to the end, so that the first site is the one that changed longest ago.
    this.#bySite.delete(site)
    if (ofSite.size > 0) this.#bySite.set(site, ofSite)
    if (this.#size > MAX_COOKIES) this.#dropOldest()
  }

  /** Other sites cannot displace cookies of the sites that the user has given some for. */
  #dropOldest(): void {
    for (const [site, cookies] of this.#bySite) {
      if (this.#startSites.has(site)) continue
      this.#dropFirst(cookies)
      if (cookies.size === 0) this.#bySite.delete(site)
      return
    }
  }

  /** Drops the cookie that was not changed or sent for the longest time. Never drops cookies given by the user. */
  #dropFirst(cookies: Map<string, StoredCookie>): void {
    const key = cookies.keys().find((each) => !this.#startKeys.has(each))
    if (key === undefined) return
    cookies.delete(key)
    this.#changed.delete(key)
    this.#size -= 1
  }
}

/** The cookies of --cookie. The last of two with the same domain, path and name counts. */
export function givenCookies(lines: readonly string[], now: number): StoredCookie[] {
  const byKey = new Map<string, StoredCookie>()
  for (const line of lines) {
    const parsed = parseCookieLine(line)
    if (parsed === null) continue
    const { domain, isHostOnly, path } = parsed
    const cookie = toCookie(parsed, { domain, isHostOnly, path: path ?? '/' }, now)
    if (keyOf(cookie).length <= MAX_KEY_CHARS) byKey.set(keyOf(cookie), cookie)
  }
  return [...byKey.values()]
}

function toCookie(
  { name, value, isSecure, maxAgeSeconds, expiresAt }: ParsedCookie,
  place: Pick<StoredCookie, 'domain' | 'isHostOnly' | 'path'>,
  now: number,
): StoredCookie {
  const asked = maxAgeSeconds === null ? expiresAt : maxAgeSeconds <= 0 ? 0 : now + maxAgeSeconds * 1000
  const expiry = asked === null ? null : Math.max(0, Math.min(asked, now + LONGEST_LIFE_MS))
  return { ...place, name, value, isSecure, expiresAt: expiry, createdAt: now }
}

/** Null if the host may not set a cookie for the domain that the cookie names. */
function domainFor({ domain }: ParsedCookie, host: string): Pick<StoredCookie, 'domain' | 'isHostOnly'> | null {
  if (domain === null || domain === host) {
    const isShared = domain !== null && parseHost(host).domain !== null
    return { domain: host, isHostOnly: !isShared }
  }
  const { isIp, domain: registrable } = parseHost(domain)
  if (isIp === true || registrable === null || !host.endsWith(`.${domain}`)) return null
  return { domain, isHostOnly: false }
}

function fits({ domain, isHostOnly, path, isSecure }: StoredCookie, target: CookieUrl): boolean {
  if (isSecure && !target.isSecure) return false
  if (domain !== target.host && (isHostOnly || !target.host.endsWith(`.${domain}`))) return false
  if (!target.path.startsWith(path)) return false
  return path.endsWith('/') || target.path.length === path.length || target.path[path.length] === '/'
}

function readUrl(url: string): CookieUrl {
  const { hostname, pathname, protocol } = new URL(url)
  const host = normaliseHostname(hostname)
  // Browsers send secure cookies to this machine also without TLS.
  const isSecure = protocol === 'https:' || host === 'localhost' || host === '127.0.0.1' || host === '::1'
  return { host, path: pathname, isSecure }
}

function defaultPath(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

function isExpired({ expiresAt }: StoredCookie, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

function keyOf({ domain, path, name }: StoredCookie): string {
  return `${domain}\n${path}\n${name}`
}

function moveToEnd(cookies: Map<string, StoredCookie>, cookie: StoredCookie): void {
  const key = keyOf(cookie)
  cookies.delete(key)
  cookies.set(key, cookie)
}

function isSame(known: StoredCookie, cookie: StoredCookie): boolean {
  const { value, isSecure, isHostOnly, expiresAt } = cookie
  const isEqual = known.value === value && known.isSecure === isSecure && known.isHostOnly === isHostOnly
  if (!isEqual || (known.expiresAt === null) !== (expiresAt === null)) return false
  return known.expiresAt === null || expiresAt === null || Math.abs(known.expiresAt - expiresAt) < DAY_MS
}
