// The limits of a crawl on depth, redirects, pages and sitemaps, and the status it ends with.

import type { CrawlSettings } from '../ports/crawls.ts'
import { MAX_REDIRECTS } from '../ports/frontier.ts'
import type { PathLength } from './shortest-path.ts'

/** Sitemaps per crawl. Each may list 50,000 URLs. */
export const MAX_SITEMAPS = 10_000

/** Beyond the depth limit, or at the end of too many redirects. */
export function isBeyondLimits({ maxDepth }: CrawlSettings, { depth, hops }: PathLength): boolean {
  return hops > MAX_REDIRECTS || (maxDepth !== null && depth > maxDepth)
}

/** `pageCount` of lib/states.ts, for a row of the counters. */
export const PAGES_SQL = '(visited - sitemaps)'

/** URLs that may be claimed now. The page limit is exact: no more URLs are in flight than pages are missing. */
export function pageAllowance({ maxPages }: CrawlSettings, pages: number, inFlight: number): number {
  return maxPages === null ? Number.POSITIVE_INFINITY : Math.max(0, maxPages - pages - inFlight)
}

/** Whether the crawl has reached its page limit while URLs or held links are left, so that it has to be closed. */
export function isPageLimitReached(
  { maxPages }: CrawlSettings,
  { pages, open, hasHeldLinks }: { pages: number; open: number; hasHeldLinks: boolean },
): boolean {
  return maxPages !== null && pages >= maxPages && (open > 0 || hasHeldLinks)
}

/** The status of a crawl that has nothing left to do. `closing` is the reason for which it was closed early. */
export function endStatus(closing: string | null): 'cancelled' | 'completed' {
  return closing === 'cancelled' ? 'cancelled' : 'completed'
}
