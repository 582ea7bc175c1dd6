// Rules that both stores share for changing a crawl.

import { CRAWL_SETTINGS, crawlKeyOf, isChangeable, type SettingChanges } from '../../config/crawl-settings.ts'
import { AppError } from '../../lib/errors.ts'
import { type CrawlStatus, isUnfinished } from '../../lib/states.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { isRecrawled, RECRAWL_SETTINGS } from '../../ports/revisits.ts'
import { REMOVING } from '../encoding/state-codes.ts'

const CHANGEABLE_KEYS = new Set<string>(CRAWL_SETTINGS.filter(isChangeable).map(crawlKeyOf))

/** Ignores changes to settings that cannot change. */
export function applySettingChanges(settings: CrawlSettings, changes: SettingChanges): CrawlSettings {
  const allowed = Object.entries(changes).filter(([key, value]) => CHANGEABLE_KEYS.has(key) && value !== undefined)
  return { ...settings, ...(Object.fromEntries(allowed) as SettingChanges) }
}

/** Null: no limit. */
export function raisesDepthLimit(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before)
}

/** Whether visits have to be planned under the new settings. */
export function changesRecrawl(before: CrawlSettings, after: CrawlSettings): boolean {
  return isRecrawled(after) && RECRAWL_SETTINGS.some((name) => before[name] !== after[name])
}

/** Whether a finished crawl watches its URLs once --recrawl is on. What its owner cancelled stays as it is. */
export function canWatchAgain(closing: string | null): boolean {
  return closing !== 'cancelled' && closing !== REMOVING
}

/** As in URLs. */
export function normaliseHostName(host: string): string {
  return host.trim().toLowerCase()
}

export function assertNotClosed(closing: string | null): void {
  if (closing === null) return
  throw new AppError('CRAWL_CLOSED', `The crawl was ended (${closing}), so its URLs cannot change.`)
}

/** Only a crawl that has not ended takes URLs. */
export function assertTakesUrls({ status, closing }: { status: CrawlStatus; closing: string | null }): void {
  if (isUnfinished(status) && closing === null) return
  throw new AppError('CRAWL_CLOSED', 'The crawl has ended, so no URLs can be added. Start another one.')
}

export function crawlRunningError(crawlId: string): AppError {
  return new AppError('CRAWL_RUNNING', `Crawl ${crawlId} is running. Pause or cancel it first.`)
}
