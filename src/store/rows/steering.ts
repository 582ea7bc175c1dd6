// What both stores have in common about changing a crawl.

import { AppError } from '../../lib/errors.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { CHANGEABLE, type SettingChanges } from '../../ports/steering.ts'

/** Settings that cannot change stay what they are, whatever is asked. */
export function changeSettings(settings: CrawlSettings, changes: SettingChanges): CrawlSettings {
  const given = CHANGEABLE.flatMap((name) => (changes[name] === undefined ? [] : [[name, changes[name]]]))
  return { ...settings, ...(Object.fromEntries(given) as SettingChanges) }
}

/** Null: no limit. */
export function isDeeper(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before)
}

/** As urls spell it. */
export function hostName(host: string): string {
  return host.trim().toLowerCase()
}

export function refuseClosed(closing: string | null): void {
  if (closing === null) return
  throw new AppError('CRAWL_CLOSED', `This crawl was ended (${closing}), so its urls stay as they are.`)
}

export function runningError(crawlId: string): AppError {
  return new AppError('CRAWL_RUNNING', `Crawl ${crawlId} is at work. Pause or cancel it first.`)
}
