// The times of --schedule.

import { CronTimes } from '../lib/cron.ts'
import type { CrawlSettings } from './crawl-settings.ts'

type ScheduleSettings = Pick<CrawlSettings, 'schedule' | 'timeZone'>

const RUNS_SHOWN = 3

/** By settings, since parsing costs more than planning a visit. */
const parsed = new WeakMap<ScheduleSettings, CronTimes>()

/** Null without a schedule. */
export function scheduledTimes(settings: ScheduleSettings): CronTimes | null {
  if (settings.schedule === null) return null
  const known = parsed.get(settings)
  if (known !== undefined) return known
  const times = new CronTimes(settings.schedule, settings.timeZone)
  parsed.set(settings, times)
  return times
}

/** For people: the next runs of the schedule; none without one. */
export function nextRuns(settings: ScheduleSettings, now: number): number[] {
  return scheduledTimes(settings)?.list(now, RUNS_SHOWN) ?? []
}
