// Removes parameters that do not identify a page. Session ids give one page a new URL for every visitor. Ids with
// well-known names are removed; under ambiguous names only values that no person would write. The same applies to the
// sort links of directory listings, and to links to print, share or reply to a page. Everything else stays unchanged.
// A server that insists on an id redirects to a URL with one, so the target of a redirect keeps it: without the id it
// would be the URL that redirected.

import { pathStart } from './url-key.ts'

const SLASH = 47
const AMPERSAND = 38
/** The last letters of the names in classifyParameter, except ASP's. */
const LAST_LETTERS = new Set([...'dnsmetb'].map((letter) => letter.charCodeAt(0)))
/** Ids of documents are shorter: MongoDB's have 24 characters. */
const MIN_ID = 26
/** Shorter ids must alternate between letters and digits this often; hex ids and others. */
const SHORT_ID = { minLength: 8, hexChanges: 3, otherChanges: 5 }
/** Sort links of Apache, of Apache 1.3 and of Caddy. */
const LISTING_SORT = /^(?:C=[NMSD][;&]O=[AD]|[NMSD]=[AD]|sort=(?:name|namedirfirst|size|time)&order=(?:asc|desc))$/
const LONGEST_SORT = 'sort=namedirfirst&order=desc'.length
/** Services to which WordPress offers to share a page. */
const SHARED_AT =
  /^(?:bluesky|email|facebook|jetpack-whatsapp|linkedin|mastodon|nextdoor|pinterest|pocket|print|reddit|skype|telegram|threads|tumblr|twitter|x)$/
const YES = /^(?:1|on|true|y|yes)$/i
const LONGEST_NAME = 'aspsessionidabcdefgh'.length

/** Kinds of parameters, as bits: the two of ColdFusion are an id only together. */
const OTHER = 0
const ID = 1
const CFID = 2
const CFTOKEN = 4
const BOTH = CFID | CFTOKEN
/** WordPress adds these to a link to share a page; the count has another meaning anywhere else. */
const SHARE = 8
const SHARE_COUNT = 16

/** `url` is canonical, or the path and query of a canonical URL. */
export function stripSessionIds(url: string): string {
  const queryAt = url.indexOf('?')
  const pathEnd = queryAt < 0 ? url.length : queryAt
  const mayPathHaveId = isBefore(pathEnd, url.indexOf(';')) || isBefore(pathEnd, url.indexOf('(S('))
  if (queryAt > 0 && isListingSort(url, queryAt)) return stripSessionIds(url.slice(0, queryAt))
  const found = queryAt < 0 ? OTHER : findInQuery(url, queryAt + 1)
  const drops = dropsOf(found)
  if (!mayPathHaveId && drops === OTHER) return url
  const path = mayPathHaveId ? dropFromPath(url.slice(0, pathEnd)) : url.slice(0, pathEnd)
  const query = drops === OTHER ? url.slice(pathEnd) : dropFromQuery(url.slice(pathEnd + 1), drops)
  return path + query
}

/** The kinds to remove: some parameters only count together. */
function dropsOf(found: number): number {
  let drops = found & (ID | SHARE)
  if ((found & BOTH) === BOTH) drops |= BOTH
  if ((found & SHARE) !== 0) drops |= found & SHARE_COUNT
  return drops
}

function isListingSort(url: string, queryAt: number): boolean {
  if (url.charCodeAt(queryAt - 1) !== SLASH || url.length - queryAt - 1 > LONGEST_SORT) return false
  return LISTING_SORT.test(url.slice(queryAt + 1))
}

function isBefore(end: number, at: number): boolean {
  return at >= 0 && at < end
}

/** The kinds of all parameters, by the end of each name. */
function findInQuery(url: string, start: number): number {
  let found = OTHER
  for (let at = url.indexOf('=', start); at >= 0; at = url.indexOf('=', at + 1)) {
    const nameAt = findName(url, start, at)
    if (nameAt < 0) continue
    const next = url.indexOf('&', at)
    found |= classifyParameter(url.slice(nameAt, next < 0 ? url.length : next))
  }
  return found
}

/** Start of the name before an equals sign; -1 if it cannot be one of classifyParameter. */
function findName(url: string, start: number, equals: number): number {
  const last = url.charCodeAt(equals - 1) | 32
  const earliest = equals - LONGEST_NAME
  let at = LAST_LETTERS.has(last) ? equals - 1 : earliest
  for (; at >= earliest && at >= start; at--) {
    if (at === start || url.charCodeAt(at - 1) === AMPERSAND) return at
  }
  return -1
}

function dropFromQuery(query: string, drops: number): string {
  const kept = query.split('&').filter((parameter) => (classifyParameter(parameter) & drops) === 0)
  const rest = kept.join('&')
  return rest === '' ? '' : `?${rest}`
}

function classifyParameter(parameter: string): number {
  const equals = parameter.indexOf('=')
  if (equals < 0 || equals > LONGEST_NAME) return OTHER
  const name = parameter.slice(0, equals).toLowerCase()
  switch (name) {
    case 'phpsessid':
    case 'jsessionid':
    case 'asp.net_sessionid':
      return ID
    case 'cfid':
      return CFID
    case 'cftoken':
      return CFTOKEN
    case 's':
      // WordPress uses this name for searches; forums use 32 hex digits.
      return looksRandom(parameter.slice(2), { minLength: 32, isHex: true }) ? ID : OTHER
    case 'sid':
    case 'sessionid':
    case 'session_id':
    case 'oscsid':
    case 'zenid':
      return isSessionId(parameter.slice(equals + 1)) ? ID : OTHER
    case 'replytocom':
      return /^\d+$/.test(parameter.slice(equals + 1)) ? ID : OTHER
    case 'share':
      return SHARED_AT.test(parameter.slice(equals + 1)) ? SHARE : OTHER
    case 'nb':
      return parameter === 'nb=1' ? SHARE_COUNT : OTHER
    case 'print':
    case 'printable':
      return YES.test(parameter.slice(equals + 1)) ? ID : OTHER
    default:
      return /^aspsessionid[a-z]{8}$/.test(name) ? ID : OTHER
  }
}

function isSessionId(value: string): boolean {
  if (looksRandom(value, { minLength: MIN_ID, isHex: false })) return true
  const mix = value.length < SHORT_ID.minLength ? null : mixOf(value)
  return mix !== null && mix.changes >= (mix.isHex ? SHORT_ID.hexChanges : SHORT_ID.otherChanges)
}

/** Letters and digits only, and both: hex digits, or a mix that alternates at least three times. */
function looksRandom(value: string, expected: { minLength: number; isHex: boolean }): boolean {
  const mix = value.length < expected.minLength ? null : mixOf(value)
  if (mix === null) return false
  return mix.isHex ? mix.changes > 0 : !expected.isHex && mix.changes >= 3
}

/** How often letters and digits alternate; null if there are other characters. */
function mixOf(value: string): { isHex: boolean; changes: number } | null {
  let isHex = true
  let changes = 0
  let wasDigit = false
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const letter = code | 32
    const isDigit = code >= 48 && code <= 57
    if (!isDigit && (letter < 97 || letter > 122)) return null
    if (!isDigit && letter > 102) isHex = false
    if (i > 0 && isDigit !== wasDigit) changes += 1
    wasDigit = isDigit
  }
  return { isHex, changes }
}

function dropFromPath(path: string): string {
  const start = path.charCodeAt(0) === SLASH ? 0 : pathStart(path)
  const segments = path.slice(start + 1).split('/')
  const kept = segments.map(dropParameter).filter((segment) => !isAspNetId(segment))
  return `${path.slice(0, start)}/${kept.join('/')}`
}

function dropParameter(segment: string): string {
  if (!segment.includes(';')) return segment
  const [name = '', ...parameters] = segment.split(';')
  const kept = parameters.filter((parameter) => !/^jsessionid=/i.test(parameter))
  const rest = [name, ...kept].join(';')
  // The rest would mean another folder.
  return /^(?:\.|%2E){1,2}$/.test(rest) ? segment : rest
}

/** The segment that ASP.NET inserts into paths: (S(lit3py55t21z5v55vlm25s55)). */
function isAspNetId(segment: string): boolean {
  return segment.startsWith('(S(') && /^\(S\([A-Za-z0-9]{16,64}\)\)$/.test(segment)
}
