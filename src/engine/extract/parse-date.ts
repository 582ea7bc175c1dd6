// Reads a date as pages write it in attributes and text: ISO 8601, RFC 822, and with English names of months.

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?)?$/i
const CLOCK = String.raw`(?:,?\s+(?:at\s+)?(\d{1,2}):(\d\d)(?::(\d\d)())?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?`
/** 17 November 2026, Tue, 17 Nov 2026 21:50:00 GMT. */
const DAY_FIRST = new RegExp(
  String.raw`^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th)?\.?\s+([a-z]{3,9})\.?,?\s+(\d{4})${CLOCK}$`,
  'i',
)
/** November 17, 2026. */
const MONTH_FIRST = new RegExp(
  String.raw`^(?:[a-z]{3,9}\.?,\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${CLOCK}$`,
  'i',
)
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const MAX_LENGTH = 100

/**
 * Returns 2026-11-17, or in UTC 2026-11-17T21:50:00.000Z if the date has a time. A time without a zone is taken as
 * UTC. Null if it is not a date.
 */
export function parseDate(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH) return null
  const iso = ISO.exec(trimmed)
  if (iso !== null) return toIsoDate(iso[1], Number(iso[2]), iso[3], iso.slice(4))
  const dayFirst = DAY_FIRST.exec(trimmed)
  if (dayFirst !== null) return toIsoDate(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1], dayFirst.slice(4))
  const monthFirst = MONTH_FIRST.exec(trimmed)
  return monthFirst === null
    ? null
    : toIsoDate(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2], monthFirst.slice(4))
}

/** 0 if there is none. An abbreviation has at least three letters. */
function monthOf(name = ''): number {
  const wanted = name.toLowerCase()
  return MONTHS.findIndex((month) => month.startsWith(wanted) || (month === 'september' && wanted === 'sept')) + 1
}

function toIsoDate(year = '', month: number, day = '', clock: readonly (string | undefined)[]): string | null {
  const dayMs = Date.UTC(2000, month - 1, Number(day))
  const date = new Date(dayMs)
  date.setUTCFullYear(Number(year), month - 1, Number(day))
  if (month < 1 || month > 12 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day)) return null
  const [hour, minute, second = '0', fraction = '0', zone = 'Z'] = clock
  if (hour === undefined || minute === undefined) return date.toISOString().slice(0, 10)
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const zoneMinutes = minutesOf(zone)
  if (Math.abs(zoneMinutes) > 14 * 60) return null
  const ms = Math.floor(Number(`0.${fraction === '' ? '0' : fraction}`) * 1000)
  date.setUTCHours(Number(hour), Number(minute) - zoneMinutes, Number(second), ms)
  return date.toISOString()
}

function minutesOf(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}
