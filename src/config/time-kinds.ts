// Kinds of settings that are times: spans, moments, cron expressions and time zones.

import { findCronProblem, isTimeZone } from '../lib/cron.ts'
import { InvalidValue, MAX_SHOWN, type SettingKind, TEXT } from './setting-kinds.ts'

const SPAN = /^(\d+)\s*(s|m|h|d|w|y)$/i
const MINUTE_MS = 60_000
const SPANS_MS: Record<string, number> = {
  s: 1000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 1440 * MINUTE_MS,
  w: 7 * 1440 * MINUTE_MS,
  y: 365 * 1440 * MINUTE_MS,
}
const MAX_SPAN_YEARS = 100

/** A duration in ms. */
export function timeSpan(): SettingKind<number> {
  const expected = new InvalidValue(`a time such as 90m, 12h, 30d or 1y, at most ${MAX_SPAN_YEARS} years`)
  return {
    placeholder: 'TIME',
    schema: { type: 'string', pattern: SPAN.source },
    parse(raw) {
      const [, count = '', unit = ''] = (typeof raw === 'string' && SPAN.exec(raw.trim())) || []
      const ms = Number(count) * (SPANS_MS[unit.toLowerCase()] ?? 0)
      return ms > 0 && ms <= MAX_SPAN_YEARS * (SPANS_MS['y'] ?? 0) ? ms : expected
    },
  }
}

/** A duration, kept as text. */
export function timeSpanText(): SettingKind<string> {
  const kind = timeSpan()
  return {
    ...kind,
    parse(raw) {
      const ms = kind.parse(raw)
      return ms instanceof InvalidValue ? ms : String(raw).trim()
    },
  }
}

/** Duration in ms of a text that `timeSpan` accepts. */
export function parseTimeSpan(text: string): number {
  const ms = timeSpan().parse(text)
  return ms instanceof InvalidValue ? 0 : ms
}

/** A point in time: a date, or a time span before now. Kept as text. */
export function moment(): SettingKind<string> {
  const expected = new InvalidValue('a date such as 2026-11-17 or 2026-11-17T09:30Z, or a time span such as 6h')
  return {
    placeholder: 'TIME',
    schema: TEXT,
    parse: (raw) => (typeof raw === 'string' && Number.isFinite(toMoment(raw, 0)) ? raw.trim() : expected),
  }
}

/** Time in ms since 1970 of a text that `moment` accepts. */
export function toMoment(text: string, now: number): number {
  const spanMs = parseTimeSpan(text)
  return spanMs > 0 ? now - spanMs : Date.parse(text)
}

/** The inverse of `parseTimeSpan`, in the largest unit that is exact: 6h. */
export function formatTimeSpan(ms: number): string {
  const units = Object.entries(SPANS_MS).toReversed()
  const [unit, unitMs] = units.find(([, length]) => ms % length === 0) ?? ['s', 1000]
  return `${ms / unitMs}${unit}`
}

export function cronExpression(): SettingKind<string> {
  const expected = 'a cron expression of five fields, such as "0 3 * * *" (daily at 3:00)'
  return {
    placeholder: 'CRON',
    schema: TEXT,
    parse(raw) {
      const value = typeof raw === 'string' ? raw.trim() : ''
      if (value === '' || value.length > MAX_SHOWN) return new InvalidValue(expected)
      const problem = findCronProblem(value)
      return problem === null ? value : new InvalidValue(`${expected}; ${problem}`)
    },
  }
}

export function timeZone(): SettingKind<string> {
  const invalid = new InvalidValue('a time zone, such as Europe/Berlin or UTC')
  return {
    placeholder: 'ZONE',
    schema: TEXT,
    parse(raw) {
      const value = typeof raw === 'string' ? raw.trim() : ''
      return value.length <= MAX_SHOWN && isTimeZone(value) ? value : invalid
    },
  }
}
