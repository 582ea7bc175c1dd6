// Two versions of a line that differ only in numbers have the same shape; if they differ only in times, the line is a
// clock.

import { textHash } from '../../search/text-hash.ts'

/** Times are found in the first part of a line. */
const MAX_LENGTH = 2000

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const DAY_MS = 86_400_000

/** Every quantifier is bounded, so that no line takes long. */
const TIMES: readonly RegExp[] = [
  // 2026-11-17T12:30:05Z, Tue, 17 Nov 2026 12:30:05 GMT
  /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?/g,
  /\b(?:[A-Z][a-z]{2,8},? )?\d{1,2} [A-Z][a-z]{2,8} \d{4},? (?:at )?\d{1,2}:\d{2}(?::\d{2})?/g,
  /\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AaPp]\.?[Mm]\b\.?)?(?: ?(?:UTC|GMT|[A-Z]{2,4}T)\b)?/g,
  // 3 minutes ago
  /\b(?:\d{1,6}|an?|one|a few) (?:second|minute|hour|day|week|month|year)s? ago\b|\bjust now\b/gi,
  // 0.123 s, 45 ms
  /\b\d{1,9}(?:[.,]\d{1,9})? ?(?:ms|msec|s|secs?|seconds?|milliseconds?)\b/gi,
  // Seconds and milliseconds since 1970, of this century.
  /\b1\d{9}(?:\d{3})?\b/g,
  // Ids that are made for one response.
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?=[0-9a-f]{0,63}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{16,64}\b/gi,
]
/** Replaces a time: the object replacement character, which pages do not contain. */
const MARK = '\ufffc'
const SEVERAL_MARKS = /\ufffc(?:[ ,]{0,3}\ufffc)+/g
const NUMBER = /\d(?:[.,\u00a0 ]?\d)*/g

/** The line without times, dates of the visit, and ids. Equal for two versions of a clock. */
export function withoutTimes(line: string, visitedAt: number): string {
  let text = line.slice(0, MAX_LENGTH)
  if (!/\d|ago|now/i.test(text)) return line
  for (const time of TIMES) text = text.replace(time, MARK)
  for (const date of datesAround(visitedAt)) text = text.replaceAll(date, MARK)
  return text.replace(SEVERAL_MARKS, MARK) + line.slice(MAX_LENGTH)
}

/** Ways to write the day of a visit, in any time zone. Years are in all of them: a day alone is a number like any other. */
function datesAround(visitedAt: number): string[] {
  return [-1, 0, 1].flatMap((days) => {
    const date = new Date(visitedAt + days * DAY_MS)
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    const name = MONTHS[month - 1] ?? ''
    const [mm, dd] = [String(month).padStart(2, '0'), String(day).padStart(2, '0')]
    const names = [name, name.slice(0, 3)].flatMap((each) => [
      `${each} ${day}, ${year}`,
      `${day} ${each} ${year}`,
      `${dd} ${each} ${year}`,
    ])
    return [`${year}-${mm}-${dd}`, `${dd}.${mm}.${year}`, `${dd}/${mm}/${year}`, `${mm}/${dd}/${year}`, ...names]
  })
}

/** The line without numbers. */
export function lineShape(line: string): string {
  return line.replace(NUMBER, '0')
}

/** A short name of a shape, to recognise it later. */
export function shapeKey(...shapes: string[]): string {
  return textHash(shapes.join('\n')).toString(36)
}
