// The limits of a crawl on depth, redirects, pages and sitemaps, and the status it ends with.

import type { CrawlStatus } from '../lib/states.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import { isRecrawled } from '../ports/revisits.ts'
import { type FoundUrl, hasTooManyRedirects } from '../ports/visits.ts'
import type { PathLength } from './shortest-path.ts'

/** Sitemaps per crawl. Each may list 50,000 URLs. */
export const MAX_SITEMAPS = 10_000

/** Beyond the depth limit, or at the end of too many redirects. */
export function isBeyondLimits({ maxDepth }: CrawlSettings, { depth, hops }: PathLength): boolean {
  return hasTooManyRedirects(hops) || (maxDepth !== null && depth > maxDepth)
}

/**
 * Whether a URL beyond the limits is stored until a shorter path is found. The depth limit does not apply to requisites
 * of a page, but the limits apply to the target of any redirect.
 */
export function isDeferred({ kind }: Pick<FoundUrl, 'kind'>, isRedirect: boolean): boolean {
  return kind !== 'requisite' || isRedirect
}

/** The depth limit may have been lowered since a URL was discovered. */
export function isTooDeep({ maxDepth }: Pick<CrawlSettings, 'maxDepth'>, depth: number): boolean {
  return maxDepth !== null && depth > maxDepth
}

/** `pageCount` of lib/states.ts, for a row of the counters. */
export const PAGES_SQL = '(visited - sitemaps - requisites)'

/** Counts that a page limit is compared with. */
export interface PageCounts {
  /**
   * Visited URLs that are neither sitemaps nor requisites. With --recrawl this includes queued revisits, since a known
   * page stays one.
   */
  pages: number
  open: number
  /** Open URLs that were visited before; 0 without --recrawl. */
  openRevisits: number
}

/** `visited`: pages whose last visit is over. Until visits are planned for all of them, not all are in `knownPages`. */
export function countPages(
  settings: CrawlSettings,
  {
    visited,
    knownPages,
    open,
    openRevisits,
  }: { visited: number; knownPages: number; open: number; openRevisits: number },
): PageCounts {
  if (!isRecrawled(settings)) return { pages: visited, open, openRevisits: 0 }
  return { pages: Math.max(visited, knownPages), open, openRevisits }
}

/**
 * Whether a crawl continues after it has reached its page limit: known pages are visited again, and requisites of its
 * pages are fetched.
 */
export function goesOnAtPageLimit(settings: CrawlSettings): boolean {
  return settings.maxPages !== null && (isRecrawled(settings) || settings.requisites)
}

/** URLs that may be claimed now. The page limit is exact: never more URLs in flight than pages left under the limit. */
export function pageAllowance(
  { maxPages, requisites }: CrawlSettings,
  { pages, open, openRevisits, inFlight }: PageCounts & { inFlight: number },
): number {
  if (maxPages === null || (openRevisits > 0 && openRevisits === open)) return Number.POSITIVE_INFINITY
  // Pages that were never visited are excluded by now. Only requisites and revisits are left.
  if (requisites && pages >= maxPages) return Number.POSITIVE_INFINITY
  return Math.max(0, maxPages - pages - inFlight)
}

/** Whether the crawl has reached its page limit while URLs or held links are left, so that it has to be closed. */
export function isPageLimitReached(
  settings: CrawlSettings,
  { pages, open, hasHeldLinks }: { pages: number; open: number; hasHeldLinks: boolean },
): boolean {
  const { maxPages } = settings
  if (maxPages === null || goesOnAtPageLimit(settings)) return false
  return pages >= maxPages && (open > 0 || hasHeldLinks)
}

/** Whether the page limit may have ended a crawl that went on to fetch requisites. It has if it excluded pages. */
export function mayOweEndToPageLimit(settings: CrawlSettings, pages: number): boolean {
  const { maxPages, requisites } = settings
  return maxPages !== null && requisites && !isRecrawled(settings) && pages >= maxPages
}

/** Whether a crawl that continues has reached its page limit, so that pages that were never visited are excluded. */
export function hasAllPages({ maxPages }: CrawlSettings, { pages, open, openRevisits }: PageCounts): boolean {
  return maxPages !== null && pages >= maxPages && open > openRevisits
}

/** The status of a crawl that has nothing left to do. `closing` is the reason for which it was closed early. */
function endStatus(closing: string | null): 'cancelled' | 'completed' {
  return closing === 'cancelled' ? 'cancelled' : 'completed'
}

/** The status of a crawl without open URLs. With --recrawl it waits for the next visit, unless it was closed. */
export function idleStatus(settings: CrawlSettings, closing: string | null): CrawlStatus {
  return closing === null && isRecrawled(settings) ? 'watching' : endStatus(closing)
}
