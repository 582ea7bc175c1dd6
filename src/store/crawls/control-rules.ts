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

/** Whether the new limit is higher. Null means no limit. */
export function raisesDepthLimit(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before)
}

/** Whether visits have to be planned under the new settings. */
function changesRecrawl(before: CrawlSettings, after: CrawlSettings): boolean {
  return isRecrawled(after) && RECRAWL_SETTINGS.some((name) => before[name] !== after[name])
}

/** Whether the budget is reset. */
export function changesBudget(before: CrawlSettings, after: CrawlSettings): boolean {
  return before.recrawlBudget !== after.recrawlBudget
}

/** Whether a finished crawl becomes `watching` on request. A crawl that a user cancelled does not. */
export function canStartWatching({ status, closing }: { status: CrawlStatus; closing: string | null }): boolean {
  return !isUnfinished(status) && closing !== 'cancelled' && closing !== REMOVING
}

/** Whether visits have to be planned, because settings changed or an ended crawl is to watch again. */
export function startsRecrawl(
  crawl: { status: CrawlStatus; closing: string | null },
  { before, after, changes }: { before: CrawlSettings; after: CrawlSettings; changes: SettingChanges },
): boolean {
  const isAsked = (changes.recrawl !== undefined || changes.schedule !== undefined) && isRecrawled(after)
  return changesRecrawl(before, after) || (isAsked && canStartWatching(crawl))
}

/** Normalises a host name as in URLs. */
export function normaliseHostName(host: string): string {
  return host.trim().toLowerCase()
}

export function assertNotClosed(closing: string | null): void {
  if (closing === null) return
  throw new AppError('CRAWL_CLOSED', `The crawl was ended (${closing}), so its URLs cannot change.`)
}

/** Fails if the crawl has ended and takes no URLs. */
export function assertTakesUrls({ status, closing }: { status: CrawlStatus; closing: string | null }): void {
  if (isUnfinished(status) && closing === null) return
  throw new AppError('CRAWL_CLOSED', 'The crawl has ended, so no URLs can be added. Start another one.')
}

export function crawlRunningError(crawlId: string): AppError {
  return new AppError('CRAWL_RUNNING', `Crawl ${crawlId} has not ended. Pause or cancel it first.`)
}
