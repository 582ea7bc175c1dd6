// The rules by which pages that were read without rendering are visited again (ports/render-patterns.ts).

import type { HostPolicy } from '../config/policies/policy-table.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import { type Completeness, renderPatternOf } from '../ports/render-patterns.ts'
import { isRecrawled } from '../ports/revisits.ts'
import { isTooDeep } from './limits.ts'

/** Pages read per batch: about 50 ms on SQLite if all are requeued. */
export const CHECKED_PAGES = 10_000

/**
 * A recrawled crawl renders them when they are due. With a page limit, they would take the place of others. A closing
 * crawl visits nothing more.
 */
export function rendersAgain(settings: CrawlSettings, closing: string | null): boolean {
  return settings.render === 'auto' && closing === null && settings.maxPages === null && !isRecrawled(settings)
}

/** Whether a page stays as it was read: if visited again, it would be excluded, or displace other pages of its host. */
export function staysAsRead(
  { settings, blockedHosts }: { settings: CrawlSettings; blockedHosts: ReadonlySet<number> },
  { host, depth }: { host: number; depth: number },
  policy: HostPolicy | null,
): boolean {
  return blockedHosts.has(host) || isTooDeep(settings, depth) || (policy?.maxPages ?? null) !== null
}

/** New patterns, each with the URL up to which the visited pages were checked. */
export type UncheckedPatterns = ReadonlyMap<string, number>

/** `completeness`: null if the page was rendered, or need not be. */
export function hasUncheckedPattern(
  patterns: UncheckedPatterns,
  { id, url, completeness }: { id: number; url: string; completeness: Completeness | null },
): boolean {
  if (completeness === null) return false
  const checkedTo = patterns.get(renderPatternOf(url, completeness))
  return checkedTo !== undefined && id > checkedTo
}
