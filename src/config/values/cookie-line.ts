// Cookies as text: the value of a Set-Cookie header, read as RFC 6265bis asks (draft-ietf-httpbis-rfc6265bis, section 5.6).

import { normaliseHostname } from '../../lib/hostname.ts'

export interface ParsedCookie {
  name: string
  value: string
  /** Domain without a leading dot; null if the cookie is for the host that set it. */
  domain: string | null
  /** Null if the URL decides. */
  path: string | null
  isSecure: boolean
  /** Seconds from now; takes precedence over `expiresAt`. */
  maxAgeSeconds: number | null
  /** Time in ms. */
  expiresAt: number | null
}

const MAX_PAIR_BYTES = 4096
const MAX_ATTRIBUTE_BYTES = 1024
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/

/** Null if the cookie is ignored. */
export function parseSetCookie(text: string): ParsedCookie | null {
  if (CONTROL.test(text)) return null
  const [pair = '', ...attributes] = text.split(';')
  const equals = pair.indexOf('=')
  const name = equals === -1 ? '' : pair.slice(0, equals).trim()
  const value = (equals === -1 ? pair : pair.slice(equals + 1)).trim()
  if (name + value === '' || name.length + value.length > MAX_PAIR_BYTES) return null
  const parsed: ParsedCookie = {
    name,
    value,
    domain: null,
    path: null,
    isSecure: false,
    maxAgeSeconds: null,
    expiresAt: null,
  }
  for (const attribute of attributes) addAttribute(parsed, attribute)
  return hasPrefixRights(parsed) ? parsed : null
}

function addAttribute(parsed: ParsedCookie, attribute: string): void {
  const equals = attribute.indexOf('=')
  const key = (equals === -1 ? attribute : attribute.slice(0, equals)).trim().toLowerCase()
  const value = equals === -1 ? '' : attribute.slice(equals + 1).trim()
  if (value.length > MAX_ATTRIBUTE_BYTES) return
  switch (key) {
    case 'domain':
      parsed.domain = value === '' ? null : normaliseHostname(value.replace(/^\./, ''))
      return
    case 'path':
      parsed.path = value.startsWith('/') ? value : null
      return
    case 'secure':
      parsed.isSecure = true
      return
    case 'max-age':
      if (/^-?\d+$/.test(value)) parsed.maxAgeSeconds = Number(value)
      return
    case 'expires':
      parsed.expiresAt = parseCookieDate(value) ?? parsed.expiresAt
  }
}

/** Names with these prefixes promise how the cookie was set. */
function hasPrefixRights({ name, value, isSecure, domain, path }: ParsedCookie): boolean {
  const lower = name.toLowerCase()
  // A cookie without a name is sent as its value, which could pass for another cookie.
  if (name === '' && /^__(?:secure|host)-/i.test(value)) return false
  if (lower.startsWith('__secure-')) return isSecure
  if (lower.startsWith('__host-')) return isSecure && domain === null && path === '/'
  return true
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Section 5.1.1: the parts may come in any order. */
export function parseCookieDate(text: string): number | null {
  let time: number[] | null = null
  let day: number | null = null
  let month: number | null = null
  let year: number | null = null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the delimiters of the grammar.
  for (const token of text.split(/[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/)) {
    const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(token)
    const digits = /^(\d+)(?!\d)/.exec(token)?.[1] ?? ''
    const named = MONTHS.indexOf(token.slice(0, 3).toLowerCase())
    if (time === null && clock !== null) time = clock.slice(1).map(Number)
    else if (day === null && digits !== '' && digits.length <= 2) day = Number(digits)
    else if (month === null && named !== -1) month = named
    else if (year === null && digits.length >= 2 && digits.length <= 4) year = Number(digits)
  }
  if (time === null || day === null || month === null || year === null) return null
  if (year <= 99) year += year >= 70 ? 1900 : 2000
  const [hours = 0, minutes = 0, seconds = 0] = time
  if (day < 1 || day > 31 || year < 1601 || hours > 23 || minutes > 59 || seconds > 59) return null
  const at = Date.UTC(year, month, day, hours, minutes, seconds)
  return new Date(at).getUTCDate() === day ? at : null
}

/** A cookie of --cookie: it names its domain. Null if invalid. */
export function parseCookieLine(text: string): (ParsedCookie & { domain: string; isHostOnly: boolean }) | null {
  // If a site sets a cookie for one host only, it has no domain.
  const isHostOnly = /;\s*hostonly\s*(;|$)/i.test(text)
  const domain = /;\s*domain\s*=\s*([^;]*)/i.exec(text)?.[1]?.trim().replace(/^\./, '') ?? ''
  const parsed = parseSetCookie(isHostOnly ? text.replace(/;\s*domain\s*=[^;]*/i, '') : text)
  const hostname = URL.parse(`https://${domain}/`)?.hostname ?? ''
  if (parsed === null || hostname === '' || /[/@:?#]/.test(domain)) return null
  const { name, value } = parsed
  return { ...parsed, name: toBytes(name), value: toBytes(value), domain: normaliseHostname(hostname), isHostOnly }
}

/** The text with one character per byte of its UTF-8 form, as browsers send it: headers are Latin-1. */
function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The line with its value hidden. */
export function maskCookieLine(text: string, mask: string): string {
  const parsed = parseCookieLine(text)
  return parsed === null ? mask : `${parsed.name}=${mask}; Domain=${parsed.domain}`
}
