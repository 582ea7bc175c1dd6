// Rules that both stores share for changing a crawl.

import { AppError } from '../../lib/errors.ts'
import { CHANGEABLE_SETTINGS, type SettingChanges } from '../../ports/control.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'

/** Ignores changes to settings that cannot change. */
export function applySettingChanges(settings: CrawlSettings, changes: SettingChanges): CrawlSettings {
  const given = CHANGEABLE_SETTINGS.flatMap((name) => (changes[name] === undefined ? [] : [[name, changes[name]]]))
  return { ...settings, ...(Object.fromEntries(given) as SettingChanges) }
}

/** Null: no limit. */
export function raisesDepthLimit(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before)
}

/** As in URLs. */
export function normaliseHostName(host: string): string {
  return host.trim().toLowerCase()
}

export function assertNotClosed(closing: string | null): void {
  if (closing === null) return
  throw new AppError('CRAWL_CLOSED', `The crawl was ended (${closing}), so its URLs cannot change.`)
}

export function crawlRunningError(crawlId: string): AppError {
  return new AppError('CRAWL_RUNNING', `Crawl ${crawlId} is running. Pause or cancel it first.`)
}
