// Tells whether two versions of a line differ only in what passes by itself: the time and date of the visit, stamps, how
// long something took, and ids. Opening hours, events and timeouts are news.

import { monthOfName } from './month-names.ts'

export interface VisitTimes {
  before: number
  after: number
}

/** Times are found in the first part of a line. */
const MAX_LENGTH = 2000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const HALF_DAY_MINUTES = 720
const DAY_MINUTES = 1440
/** Time zones differ by multiples of it, nearly all. */
const ZONE_MINUTES = 30
/** Pages come from caches. */
const CLOCK_TOLERANCE_MINUTES = 5

/** Every quantifier is bounded, so that no line takes long. */
const DATE_TIMES: readonly RegExp[] = [
  // 2026-11-17T12:30:05Z, Tue, 17 Nov 2026 12:30:05 GMT
  /\b(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?/g,
  /\b(?:[A-Z][a-z]{2,8},? )?(\d{1,2} [A-Z][a-z]{2,8} \d{4}),? (?:at )?\d{1,2}:\d{2}(?::\d{2})?/g,
]
const ALWAYS_PASSING: readonly RegExp[] = [
  // Schedules have no seconds.
  /\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?[AaPp]\.?[Mm]\b\.?)?(?: ?(?:UTC|GMT|[A-Z]{2,4}T)\b)?/g,
  // 3 minutes ago
  /\b(?:\d{1,6}|an?|one|a few) (?:second|minute|hour|day|week|month|year)s? ago\b|\bjust now\b/gi,
  // 0.123 s, in 45 ms, took 2 s: measured. A timeout of 30 s is not.
  /\b(?:took \d{1,9}|\d{1,9}[.,]\d{1,9}) ?(?:ms|msec|s|secs?|seconds?|milliseconds?)\b/gi,
  /\bin \d{1,9} ?(?:ms|msec|milliseconds?)\b/gi,
  // Ids that are made for one response. Commits and SHA checksums are longer.
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?=[0-9a-f]{0,38}\d)(?=[0-9a-f]{0,38}[a-f])[0-9a-f]{16,39}\b/gi,
]
/** Seconds and milliseconds since 1970, of this century. */
const UNIX_TIME = /\b(1\d{9})(?:\d{3})?\b/g
const TIME_OF_DAY = /\b(\d{1,2}):(\d{2})(?: ?([AaPp])\.?[Mm]\b\.?)?(?: ?(?:UTC|GMT|[A-Z]{2,4}T)\b)?/g

/** 2026-11-17, 17.11.2026, 11/17/2026, 2026. 11. 17., 2026年11月17日 */
const NUMERIC_DATE =
  /(?<!\d)(\d{4}|\d{1,2})(?:[-./] ?|[年년] ?)(\d{1,2})(?:[-./] ?|[月월] ?)(\d{4}|\d{1,2})(?:[日일]|\.(?=\s|$))?(?!\d)/gu
/** 17 November 2026, 17. November 2026, 17 de noviembre de 2026, 1er mars 2026 */
const DAY_FIRST_DATE =
  /(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th|er|º|ª)? (?:de |of )?(\p{L}{3,12})\.?,? (?:de |del )?(\d{4})(?!\d)/gu
/** November 17, 2026 */
const MONTH_FIRST_DATE = /(?<!\p{L})(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/gu

/** Replaces a time: the object replacement character, which pages do not contain. */
const MARK = '\ufffc'
const SEVERAL_MARKS = /\ufffc(?:[ ,]{0,3}\ufffc)+/g

/** A time of day without a date, such as 12:30. */
interface ClockTime {
  minute: number
  /** It is known to be before or after noon. */
  isOfWholeDay: boolean
}

export function differOnlyInTimes(before: string, after: string, visitedAt: VisitTimes): boolean {
  if (before === after) return true
  const [old, new_] = [removeTimes(before, visitedAt.before), removeTimes(after, visitedAt.after)]
  if (old.text !== new_.text || old.times.length !== new_.times.length) return false
  const passed = (visitedAt.after - visitedAt.before) / MINUTE_MS
  // If other times of the line stand still, they may be opening hours.
  const isMixed = new_.times.some(({ minute }, i) => minute === old.times[i]?.minute)
  return new_.times.every((shown, i) => {
    const earlier = old.times[i] ?? shown
    if (shown.minute === earlier.minute) return true
    const period = shown.isOfWholeDay || earlier.isOfWholeDay ? DAY_MINUTES : HALF_DAY_MINUTES
    if (!isNear(shown.minute - earlier.minute - passed, period)) return false
    return !isMixed || isNear(shown.minute - visitedAt.after / MINUTE_MS, ZONE_MINUTES)
  })
}

/** Whether a clock with this period is right. */
function isNear(errorMinutes: number, periodMinutes: number): boolean {
  const rest = Math.abs(errorMinutes) % periodMinutes
  return Math.min(rest, periodMinutes - rest) <= CLOCK_TOLERANCE_MINUTES
}

function removeTimes(line: string, visitedAt: number): { text: string; times: ClockTime[] } {
  const times: ClockTime[] = []
  if (!/\d|ago|now/i.test(line)) return { text: line, times }
  let text = line.slice(0, MAX_LENGTH)
  for (const time of DATE_TIMES) {
    text = text.replace(time, (match, date) => (Date.parse(date) > visitedAt + DAY_MS ? match : MARK))
  }
  for (const time of ALWAYS_PASSING) text = text.replace(time, MARK)
  text = text.replace(UNIX_TIME, (match, seconds) =>
    Math.abs(Number(seconds) * 1000 - visitedAt) > DAY_MS ? match : MARK,
  )
  text = removeDates(text, visitedAt).replace(TIME_OF_DAY, (_, hour, minute, half?: string) => {
    times.push(toClockTime(Number(hour), Number(minute), half))
    return MARK
  })
  return { text: text.replace(SEVERAL_MARKS, MARK) + line.slice(MAX_LENGTH), times }
}

/** `half`: the first letter of AM or PM. */
function toClockTime(hour: number, minute: number, half: string | undefined): ClockTime {
  if (half === undefined) return { minute: hour * 60 + minute, isOfWholeDay: hour > 12 }
  const isAfternoon = half.toLowerCase() === 'p'
  return { minute: ((hour % 12) + (isAfternoon ? 12 : 0)) * 60 + minute, isOfWholeDay: true }
}

/** Without the day of the visit, in any time zone. Dates of other days are news. */
function removeDates(line: string, visitedAt: number): string {
  const isDay = (year: string, month: number, day: string) =>
    Math.abs(Date.UTC(Number(year), month - 1, Number(day)) - Math.floor(visitedAt / DAY_MS) * DAY_MS) <= DAY_MS
  return line
    .replace(NUMERIC_DATE, (match, one, two, three) => {
      if (one.length === 4) return three.length < 3 && isDay(one, Number(two), three) ? MARK : match
      if (three.length < 4) return match
      return isDay(three, Number(two), one) || isDay(three, Number(one), two) ? MARK : match
    })
    .replace(DAY_FIRST_DATE, (match, day, name, year) => (isDay(year, monthOfName(name), day) ? MARK : match))
    .replace(MONTH_FIRST_DATE, (match, name, day, year) => (isDay(year, monthOfName(name), day) ? MARK : match))
}
