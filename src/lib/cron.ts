// Cron expressions of five fields (or @daily and the like), in a time zone.

import { readlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Croner from 'croner'
import { lazy } from './lazy.ts'

/** Loading it takes 4 ms in two threads, and few crawls have a schedule. */
const croner = lazy(() => createRequire(import.meta.url)('croner') as typeof Croner)

const LOCAL_TIME = '/etc/localtime'

/** Null if the expression is invalid or never matches (`0 0 30 2 *`). */
function parseCron(expression: string, timeZone: string): Croner.Cron | null {
  const { Cron } = croner()
  try {
    const cron = new Cron(expression, { mode: '5-part', timezone: timeZone, paused: true })
    return cron.nextRun() === null ? null : cron
  } catch {
    return null
  }
}

const FIELDS = ['minute', 'hour', 'day of the month', 'month', 'day of the week'] as const

/** The problem of an expression, naming the field; null if it is valid. */
export function findCronProblem(text: string): string | null {
  if (parseCron(text, 'UTC') !== null) return null
  const fields = text.trim().split(/\s+/)
  if (fields.length !== FIELDS.length) return `it has ${fields.length === 1 ? '1 field' : `${fields.length} fields`}`
  const wrong = FIELDS.findIndex(
    (_, i) => parseCron(fields.map((field, j) => (i === j ? field : '*')).join(' '), 'UTC') === null,
  )
  return wrong < 0 ? 'this date never comes' : `the ${FIELDS[wrong]} cannot be "${fields[wrong]}"`
}

export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function systemTimeZone(): string {
  return linkedTimeZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

/**
 * The time zone that /etc/localtime names; null if it is unknown or overridden. Every command needs it, and Intl takes
 * 18 ms.
 */
function linkedTimeZone(): string | null {
  if (process.env['TZ'] !== undefined) return null
  try {
    const [, name = null] = /\/zoneinfo\/([A-Z].*)$/.exec(readlinkSync(LOCAL_TIME)) ?? []
    return name === 'Etc/UTC' ? 'UTC' : name
  } catch {
    // The file is not a link, or does not exist.
    return null
  }
}

/** The times of a cron expression. Asking again within the same gap between two times costs nothing. */
export class CronTimes {
  readonly #cron: Croner.Cron
  /** The last answer holds from here up to the answer itself. */
  #from = Number.POSITIVE_INFINITY
  #next = Number.NEGATIVE_INFINITY

  constructor(expression: string, timeZone: string) {
    const cron = parseCron(expression, timeZone)
    if (cron === null) throw new RangeError(`Not a cron expression: ${expression} (${timeZone}).`)
    this.#cron = cron
  }

  /** The first time later than `after`, in ms since 1970. */
  nextAfter(after: number): number {
    if (after >= this.#from && after < this.#next) return this.#next
    const next = this.#cron.nextRun(new Date(after))?.getTime()
    if (next === undefined) throw new RangeError('The cron expression has no more times.')
    this.#from = after
    this.#next = next
    return next
  }

  list(after: number, count: number): number[] {
    const times: number[] = []
    for (let at = after; times.length < count; times.push(at)) at = this.nextAfter(at)
    return times
  }
}
