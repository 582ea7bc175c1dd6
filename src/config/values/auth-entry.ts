// Credentials for a host, as --auth gives them.

import { parseAllowlistEntry } from './allowlist-entry.ts'

export interface DigestCredentials {
  user: string
  password: string
}

export interface AuthEntry {
  /** An origin, or a host with its port if it has one. */
  target: string
  /** Value of the Authorization header, or the credentials it is computed from for each request. */
  authorization: string | DigestCredentials
}

/** A host with or without scheme, and what follows the first "=". */
const ENTRY = /^((?:https?:\/\/)?[^\s=/@]+)=(.+)$/is
/** RFC 6750, section 2.1. */
const TOKEN = /^[\w.~+/-]+=*$/

/** "HOST=user:password", "HOST=digest user:password" or "HOST=bearer TOKEN"; null if invalid. */
export function parseAuthEntry(text: string): AuthEntry | null {
  const [, host = '', secret = ''] = ENTRY.exec(text) ?? []
  const hasScheme = /^https?:/i.test(host)
  const url = URL.parse(hasScheme ? host : `https://${host}`)
  if (url === null || url.href !== `${url.origin}/` || !isHost(url)) return null
  const target = hasScheme ? url.origin : url.host
  const [, token = null] = /^bearer\s+(.*)$/is.exec(secret) ?? []
  if (token !== null) return TOKEN.test(token) ? { target, authorization: `Bearer ${token}` } : null
  if (!secret.includes(':') || /\p{Cc}/u.test(secret)) return null
  const [, user, password = ''] = /^digest\s+([^:]*):(.*)$/is.exec(secret) ?? []
  if (user !== undefined) return { target, authorization: { user, password } }
  return { target, authorization: `Basic ${Buffer.from(secret, 'utf8').toString('base64')}` }
}

function isHost({ hostname }: URL): boolean {
  return parseAllowlistEntry(hostname).kind !== 'bad'
}

/** The entry with its secret hidden. */
export function maskAuthEntry(text: string, mask: string): string {
  const entry = parseAuthEntry(text)
  return entry === null ? mask : `${entry.target}=${mask}`
}

/**
 * Extracts the credentials of a URL such as https://user:password@host/ as an entry, and returns the URL without them;
 * null if it has none.
 */
export function splitUrlCredentials(text: string): { url: string; entry: string } | null {
  const url = URL.parse(text)
  if (url === null || (url.username === '' && url.password === '') || !/^https?:$/.test(url.protocol)) return null
  const [user, password] = [url.username, url.password].map(decodePart)
  url.username = ''
  url.password = ''
  const entry = `${url.origin}=${user}:${password}`
  return user?.includes(':') || parseAuthEntry(entry) === null ? null : { url: url.href, entry }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
