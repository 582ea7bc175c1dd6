// Normalises paths to one spelling, so that rules and URLs compare octet by octet (RFC 9309 2.2.2, 2.2.3). Escapes of
// unreserved characters are decoded; `* $ : @ [ ]`, a stray `%`, octets that no URL may contain raw, and everything
// above ASCII are escaped; other escapes are only upper-cased, so `%2F` never becomes `/`.
// Octets are strings of code units 0-255: a rule in Latin-1 then equals the URL that escapes the same bytes.

const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'
const KEPT_DELIMITERS = "/?&=+;,!'()"
const NORMAL_PATH = /^\/[A-Za-z0-9\-._~/?&=+;,!'()]*$/
const NORMAL_PATTERN = /^[A-Za-z0-9\-._~/?&=+;,!'()*]*\$?$/

const ESCAPED = Array.from({ length: 256 }, (_, octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`)
const FORM_OF_RAW = ESCAPED.map((escaped, octet) => keepIf(UNRESERVED + KEPT_DELIMITERS, octet, escaped))
const FORM_OF_ESCAPE = ESCAPED.map((escaped, octet) => keepIf(UNRESERVED, octet, escaped))

function keepIf(literal: string, octet: number, escaped: string): string {
  const character = String.fromCharCode(octet)
  return literal.includes(character) ? character : escaped
}

export function toOctets(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function normalisePath(pathWithQuery: string): string {
  if (NORMAL_PATH.test(pathWithQuery)) return pathWithQuery
  const path = normalise(toOctets(pathWithQuery))
  return path.startsWith('/') ? path : `/${path}`
}

/** In the result `*` and a final `$` are always special; literal ones are escaped. */
export function normalisePattern(octets: string): string {
  if (NORMAL_PATTERN.test(octets)) return octets
  const isAnchored = octets.endsWith('$')
  const body = isAnchored ? octets.slice(0, -1) : octets
  return body.split('*').map(normalise).join('*') + (isAnchored ? '$' : '')
}

/** Inside a query `/` and `?` delimit nothing, so there they equal their escapes: row 2 of the table in 2.2.2. */
export function escapeQuery(normalised: string): string {
  const start = normalised.indexOf('?') + 1
  if (start === 0) return normalised
  return normalised.slice(0, start) + normalised.slice(start).replaceAll('/', '%2F').replaceAll('?', '%3F')
}

function normalise(octets: string): string {
  let out = ''
  for (let i = 0; i < octets.length; i++) {
    const octet = octets.charCodeAt(i)
    const high = octet === 0x25 ? hexDigit(octets.charCodeAt(i + 1)) : -1
    const low = high === -1 ? -1 : hexDigit(octets.charCodeAt(i + 2))
    if (low === -1) {
      out += FORM_OF_RAW[octet]
    } else {
      out += FORM_OF_ESCAPE[high * 16 + low]
      i += 2
    }
  }
  return out
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
