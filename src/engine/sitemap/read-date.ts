import { isDigit } from '../parse/characters.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MAX_DATE_LENGTH = 64

// Matches years of four or two digits, as in RSS.
const RFC_822 =
  /^(?:[a-z]{3,9}\.?,? +)?(\d{1,2}) +([a-z]{3,9})\.? +(\d{4}|\d\d)(?: +(\d\d?):(\d\d)(?::(\d\d))?(?: +([a-z]{1,3}|[+-]\d\d:?\d\d))?)?$/i

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const ZONE_HOURS: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['z', 0],
  ['ut', 0],
  ['utc', 0],
  ['gmt', 0],
  ['est', -5],
  ['edt', -4],
  ['cst', -6],
  ['cdt', -5],
  ['mst', -7],
  ['mdt', -6],
  ['pst', -8],
  ['pdt', -7],
])

/** Milliseconds since 1970, or null for anything that is not a date or predates the web. Without a zone it is UTC. */
export function readDate(text: string): number | null {
  if (text.length < 4 || text.length > MAX_DATE_LENGTH) return null
  // NaN, for anything missing or out of range, propagates to here.
  const instant = isDigit(text.charCodeAt(3)) ? readW3c(text) : readRfc822(text)
  return instant >= 0 ? instant : null
}

// https://www.w3.org/TR/NOTE-datetime; many write a blank for the T, or omit the zone.
function readW3c(text: string): number {
  const length = text.length
  const year = digitsAt(text, 0, 4)
  const month = length === 4 ? 1 : digitsAfter(text, '-', 4)
  const day = length <= 7 ? 1 : digitsAfter(text, '-', 7)
  const dayMs = dayOf(year, month, day)
  if (length <= 10) return length === 4 || length === 7 || length === 10 ? dayMs : Number.NaN
  const separator = text[10]
  if (separator !== 'T' && separator !== 't' && separator !== ' ') return Number.NaN
  const hour = digitsAt(text, 11, 2)
  const minute = digitsAfter(text, ':', 13)
  if (text[16] !== ':') return dayMs + clockOf(hour, minute, 0) - zoneOf(text.slice(16))
  const second = digitsAfter(text, ':', 16)
  let end = 19
  if (text[19] === '.')
    do end++
    while (isDigit(text.charCodeAt(end)))
  const fraction = end > 20 ? Number(text.slice(19, end)) : 0
  return dayMs + clockOf(hour, minute, second) + Math.floor(fraction * 1000) - zoneOf(text.slice(end))
}

function readRfc822(text: string): number {
  const match = RFC_822.exec(text)
  if (match === null) return Number.NaN
  const [, day, monthName = '', yearDigits = '', hour = '0', minute = '0', second = '0', zone = ''] = match
  const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) + 1
  const year = Number(yearDigits)
  const century = yearDigits.length === 4 ? 0 : year < 70 ? 2000 : 1900
  const clockMs = clockOf(Number(hour), Number(minute), Number(second))
  return dayOf(century + year, month, Number(day)) + clockMs - zoneOf(zone)
}

function dayOf(year: number, month: number, day: number): number {
  if (year < 1970 || month < 1 || month > 12 || day < 1) return Number.NaN
  const dayMs = Date.UTC(year, month - 1, day)
  const nextMonthMs = Date.UTC(year, month, 1)
  return dayMs < nextMonthMs ? dayMs : Number.NaN
}

/** A leap second is the start of the next minute, and 24:00 the start of the next day. */
function clockOf(hour: number, minute: number, second: number): number {
  const clockMs = (hour * 60 + minute) * MINUTE + second * 1000
  return minute > 59 || second > 60 || clockMs > DAY ? Number.NaN : clockMs
}

function zoneOf(text: string): number {
  const zone = text[0] === ' ' ? text.slice(1) : text
  const sign = zone[0]
  if (sign !== '+' && sign !== '-') return (ZONE_HOURS.get(zone.toLowerCase()) ?? Number.NaN) * 60 * MINUTE
  const hours = digitsAt(zone, 1, 2)
  const minutesAt = zone[3] === ':' ? 4 : 3
  const minutes = zone.length === 3 ? 0 : zone.length === minutesAt + 2 ? digitsAt(zone, minutesAt, 2) : Number.NaN
  if (hours > 23 || minutes > 59) return Number.NaN
  return (hours * 60 + minutes) * (sign === '-' ? -MINUTE : MINUTE)
}

function digitsAfter(text: string, mark: string, pos: number): number {
  return text[pos] === mark ? digitsAt(text, pos + 1, 2) : Number.NaN
}

function digitsAt(text: string, pos: number, count: number): number {
  let value = 0
  for (let at = pos; at < pos + count; at++) {
    const code = text.charCodeAt(at)
    if (!isDigit(code)) return Number.NaN
    value = value * 10 + code - 48
  }
  return value
}
