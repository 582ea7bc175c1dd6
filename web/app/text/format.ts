// Formats numbers, sizes and times. Every number on the screen passes through here, so units are consistent.

import { LOCALE } from './locale.ts'

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' })
const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' })
const time = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })
const day = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })

/** 1,234,567 */
export function formatNumber(value: number): string {
  return whole.format(value)
}

/** 1.20M, where the exact number does not fit. */
export function formatShort(value: number): string {
  const size = Math.abs(value)
  if (size < 10_000) return formatNumber(value)
  for (const [limit, unit] of [
    [1e6, 'k'],
    [1e9, 'M'],
    [1e12, 'G'],
  ] as const) {
    // A value that would round up to 1000 uses the next unit.
    if (size < limit * 0.9995) return `${threeDigits((value / limit) * 1000)}${unit}`
  }
  return `${threeDigits(value / 1e12)}T`
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Powers of 1024 with three digits, as in settings and on the command line: 1.21 MB. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  // A value that would round up to 1000 uses the next unit.
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? formatNumber(value) : threeDigits(value)} ${BYTE_UNITS[unit] ?? 'PB'}`
}

/** A rate per second: 0, 0.4, 12.5, 1,250. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0'
  return perSecond < 100 ? perSecond.toFixed(1) : formatNumber(perSecond)
}

/** A duration with its two largest units: 450 ms, 3.2 s, 4 m 10 s, 2 h 5 m, 3 d 4 h. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  for (const [size, unit, smaller, smallerUnit] of [
    [86_400, 'd', 3600, 'h'],
    [3600, 'h', 60, 'm'],
    [60, 'm', 1, 's'],
  ] as const) {
    if (seconds < size) continue
    const rest = Math.floor((seconds % size) / smaller)
    return rest === 0
      ? `${Math.floor(seconds / size)} ${unit}`
      : `${Math.floor(seconds / size)} ${unit} ${rest} ${smallerUnit}`
  }
  return `${seconds} s`
}

/** A share from 0 to 1 as a percentage. Only exactly 0 and 1 show as 0% and 100%. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1%'
  if (share < 1 && share > 0.999) return '>99.9%'
  const hasDecimal = (share > 0 && share < 0.1) || (share >= 0.995 && share < 1)
  return `${(share * 100).toFixed(hasDecimal ? 1 : 0)}%`
}

/** 3 min ago */
export function formatRelativeTime(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  const size = Math.abs(seconds)
  if (size < 5) return 'just now'
  if (size < 60) return relative.format(seconds, 'second')
  if (size < 3600) return relative.format(Math.trunc(seconds / 60), 'minute')
  if (size < 86_400) return relative.format(Math.trunc(seconds / 3600), 'hour')
  if (size < 86_400 * 30) return relative.format(Math.trunc(seconds / 86_400), 'day')
  if (size < 86_400 * 365) return relative.format(Math.trunc(seconds / 86_400 / 30.44), 'month')
  return relative.format(Math.trunc(seconds / 86_400 / 365.25), 'year')
}

/** Local time to the second: 14:05:09 */
export function formatClock(at: Date): string {
  return clock.format(at)
}

/** Local time to the minute: 14:05 */
export function formatTime(at: Date): string {
  return time.format(at)
}

/** Local midnight. */
export function startOfDay(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate())
}

/** Today, Yesterday, or a date with its weekday. */
export function formatDay(at: Date, now: Date): string {
  const isDay = (days: number) =>
    at.toDateString() === new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toDateString()
  return isDay(0) ? 'Today' : isDay(1) ? 'Yesterday' : day.format(at)
}

/** Local date and time to the second. */
export function formatDateTime(at: Date): string {
  return dateTime.format(at)
}

/** A URL without its scheme, and without the slash of a root path. */
export function shortUrl(url: string): string {
  return decodeText(url.replace(/^https?:\/\//, '').replace(/^([^/]*)\/$/, '$1'))
}

/** Room for the end of a URL in a narrow column. */
const MAX_TAIL = 24
/** Shorter URLs fit into most columns. */
const MIN_SPLIT = 28

/** Splits a long URL before the last path segments that fit into a narrow column, or before its last characters. */
export function splitUrl(text: string): [head: string, tail: string] {
  const characters = [...text]
  if (characters.length < MIN_SPLIT) return [text, '']
  const end = characters.slice(-MAX_TAIL)
  const tail = end.slice(Math.max(0, end.slice(0, -1).indexOf('/'))).join('')
  return [text.slice(0, text.length - tail.length), tail]
}

/**
 * Decodes percent-encoded text for display. ASCII stays encoded, since decoding it would change the meaning of a URL,
 * and so do spaces and invisible characters.
 */
export function decodeText(text: string): string {
  return text.replace(/(?:%[89a-f][0-9a-f])+/gi, (encoded) => {
    try {
      const decoded = decodeURIComponent(encoded)
      return /[\p{C}\p{Z}]/u.test(decoded) ? encoded : decoded
    } catch {
      return encoded
    }
  })
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

function threeDigits(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0)
}

/** Version 3, 17 Nov 2026, 15:04:05 */
export function versionText({ version, visited_at }: { version: number; visited_at: string }): string {
  return `Version ${version}, ${formatDateTime(new Date(visited_at))}`
}
