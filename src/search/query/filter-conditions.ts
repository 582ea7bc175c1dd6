// Query fields about page metadata, such as site: or before:. Each becomes a part of the filter, or a message saying
// what value the field expects.

import { domainToASCII } from 'node:url'
import type { Entity, Range, SearchFilter } from '../../ports/search.ts'
import { nameWords } from '../entity-terms.ts'

/** Returns null if the value is invalid. */
type ReadCondition = (value: string, now: number) => Partial<SearchFilter> | null

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  pdf: 'application/pdf',
  text: 'text/plain',
  txt: 'text/plain',
  xml: 'application/xml',
  json: 'application/json',
}

const FIELDS: Readonly<Record<string, { read: ReadCondition; expected: string }>> = {
  site: { read: (value) => hostsOf(value, '.'), expected: 'a host, such as site:example.com' },
  host: {
    read: (value) => hostsOf(value, ''),
    expected: 'a host, with its port if it has one, such as host:www.example.com',
  },
  path: {
    read: (value) => ({ path: value.startsWith('/') ? value : `/${value}` }),
    expected: 'the start of a path, such as path:/docs',
  },
  person: { read: (value) => nameFilter('person', value), expected: 'a name, such as person:"Ada Lovelace"' },
  place: { read: (value) => nameFilter('place', value), expected: 'a name, such as place:London' },
  org: { read: (value) => nameFilter('organisation', value), expected: 'a name, such as org:"Royal Society"' },
  lang: {
    read: (value) => filterIfMatches(/^[a-z]{2,3}$/i, value, { lang: value.toLowerCase() }),
    expected: 'a language, such as lang:en',
  },
  type: {
    read: (value) => ({ type: TYPES[value.toLowerCase()] ?? value.toLowerCase() }),
    expected: 'a type, such as type:pdf',
  },
  status: {
    read: (value) => filterIfMatches(/^\d{3}$/, value, { httpStatus: Number(value) }),
    expected: 'a status, such as status:200',
  },
  depth: { read: (value) => rangeFilter('depth', value, countOf), expected: 'a number, such as depth:<3' },
  size: { read: (value) => rangeFilter('size', value, bytesOf), expected: 'a size, such as size:>10k' },
  inlinks: { read: (value) => rangeFilter('inlinks', value, countOf), expected: 'a number, such as inlinks:>5' },
  crawl: {
    read: (value) => filterIfMatches(/^[0-9a-z-]{1,64}$/i, value, { crawlIds: [value] }),
    expected: 'the id of a crawl',
  },
  before: { read: (value) => dateFilter(value, 'max'), expected: 'a date, such as before:2026-11-30' },
  after: { read: (value) => dateFilter(value, 'min'), expected: 'a date, such as after:2026-11' },
  changed: {
    read: (value, now) => ageFilter(value, now) ?? changedIn(value),
    expected: 'an age or a month, such as changed:<7d or changed:2026-11',
  },
  'near-duplicate-of': {
    read: (value) => filterIfMatches(/^\d{1,15}$/, value, { nearDuplicateOf: Number(value) }),
    expected: 'the id of a page (page_id with --json), such as near-duplicate-of:12',
  },
}

export const CONDITION_NAMES: readonly string[] = Object.keys(FIELDS)

export function parseCondition(
  name: string,
  value: string,
  now: number,
): { filter: Partial<SearchFilter> } | { problem: string } {
  const field = FIELDS[name]
  const filter = field?.read(value, now) ?? null
  return filter === null ? { problem: `expected ${field?.expected ?? 'another value'}` } : { filter }
}

function filterIfMatches(pattern: RegExp, value: string, filter: Partial<SearchFilter>): Partial<SearchFilter> | null {
  return pattern.test(value) ? filter : null
}

function nameFilter(kind: Entity['kind'], text: string): Partial<SearchFilter> | null {
  return nameWords(text).length === 0 ? null : { names: [{ kind, text }] }
}

const HOST = /^[a-z0-9_.-]+(?::\d{1,5})?$/

function hostsOf(value: string, dot: '.' | ''): Partial<SearchFilter> | null {
  const text = value
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/, '')
    .replace(/^\./, '')
    .toLowerCase()
  const [name = '', port] = text.split(':')
  const host = `${domainToASCII(name)}${port === undefined ? '' : `:${port}`}`
  return HOST.test(host) ? { hosts: [`${dot}${host}`] } : null
}

const COMPARISON = /^(?<sign><=|>=|<|>|=)?(?<first>[^.<>=][^<>=]*?)(?:\.\.(?<last>[^<>=]+))?$/

function rangeFilter(
  name: 'depth' | 'size' | 'inlinks',
  value: string,
  read: (text: string) => number | null,
): Partial<SearchFilter> | null {
  const { sign = '=', first = '', last } = COMPARISON.exec(value)?.groups ?? {}
  const [from, to] = [read(first), last === undefined ? null : read(last)]
  if (from === null || (last !== undefined && to === null)) return null
  return { [name]: last === undefined ? rangeOf(sign, from) : { min: from, max: to } }
}

/** The range of whole numbers: less than 3 is at most 2. */
function rangeOf(sign: string, value: number): Range {
  switch (sign) {
    case '<':
      return { min: null, max: value - 1 }
    case '<=':
      return { min: null, max: value }
    case '>':
      return { min: value + 1, max: null }
    case '>=':
      return { min: value, max: null }
    default:
      return { min: value, max: value }
  }
}

function countOf(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, k: 1024, kb: 1024, m: 1024 ** 2, mb: 1024 ** 2 }

function bytesOf(text: string): number | null {
  const { number = '', unit = '' } = /^(?<number>\d{1,12})(?<unit>[a-z]*)$/i.exec(text)?.groups ?? {}
  const factor = UNITS[unit.toLowerCase()]
  return number === '' || factor === undefined ? null : Number(number) * factor
}

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/

/** The day itself counts as after, not as before. A month or a year starts with its first day. */
function dateFilter(value: string, end: 'min' | 'max'): Partial<SearchFilter> | null {
  const time = periodOf(value)
  if (time === null) return null
  return { visited: end === 'min' ? { min: time.start, max: null } : { min: null, max: time.start - 1 } }
}

/** `2026-11` means changed in that month; a day and a year work alike. */
function changedIn(value: string): Partial<SearchFilter> | null {
  const time = periodOf(value)
  return time === null ? null : { changed: { min: time.start, max: time.next - 1 } }
}

/** Start of a year, month or day, and start of the next one. */
function periodOf(value: string): { start: number; next: number } | null {
  const match = DATE.exec(value)
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)]
  const start = Date.UTC(year, month - 1, day)
  const isReal = new Date(start).getUTCMonth() === month - 1 && new Date(start).getUTCDate() === day
  if (!isReal) return null
  if (match[2] === undefined) return { start, next: Date.UTC(year + 1, 0, 1) }
  return { start, next: match[3] === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1) }
}

const AGES: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  m: 2_592_000_000,
  y: 31_536_000_000,
}

/** `<7d` means changed within the last seven days, `>1y` unchanged for a year. */
function ageFilter(value: string, now: number): Partial<SearchFilter> | null {
  const {
    sign = '<',
    number = '',
    unit = '',
  } = /^(?<sign><|>)?(?<number>\d{1,5})(?<unit>[hdwmy])$/.exec(value)?.groups ?? {}
  const ageMs = Number(number) * (AGES[unit] ?? Number.NaN)
  if (number === '' || Number.isNaN(ageMs)) return null
  return { changed: sign === '<' ? { min: now - ageMs, max: null } : { min: null, max: now - ageMs } }
}
