// The times of --schedule.

import { CronTimes } from '../lib/cron.ts'
import type { CrawlSettings } from './crawl-settings.ts'

type ScheduleSettings = Pick<CrawlSettings, 'schedule' | 'timeZone'>

const RUNS_SHOWN = 3

/** Cached by expression and time zone: parsing costs a thousand times as much as planning a visit. */
const parsed = new Map<string, CronTimes>()
const MAX_PARSED = 1000

/** Null if there is no schedule. */
export function scheduledTimes(settings: ScheduleSettings): CronTimes | null {
  if (settings.schedule === null) return null
  const key = `${settings.timeZone} ${settings.schedule}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const times = new CronTimes(settings.schedule, settings.timeZone)
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(key, times)
  return times
}

/** The next runs of the schedule, for display; empty without a schedule. */
export function nextRuns(settings: ScheduleSettings, now: number): number[] {
  return scheduledTimes(settings)?.list(now, RUNS_SHOWN) ?? []
}
