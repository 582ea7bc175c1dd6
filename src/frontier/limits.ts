// The limits of a crawl on depth, redirects, pages and sitemaps, and the status it ends with.

import type { CrawlStatus } from '../lib/states.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import { MAX_REDIRECTS } from '../ports/frontier.ts'
import { isRecrawled } from '../ports/revisits.ts'
import type { PathLength } from './shortest-path.ts'

/** Sitemaps per crawl. Each may list 50,000 URLs. */
export const MAX_SITEMAPS = 10_000

/** Beyond the depth limit, or at the end of too many redirects. */
export function isBeyondLimits({ maxDepth }: CrawlSettings, { depth, hops }: PathLength): boolean {
  return hops > MAX_REDIRECTS || (maxDepth !== null && depth > maxDepth)
}

/** `pageCount` of lib/states.ts, for a row of the counters. */
export const PAGES_SQL = '(visited - sitemaps)'

/** Open URLs that were visited before, and how many of them were pages. Nothing for a crawl without --recrawl. */
export interface OpenRevisits {
  urls: number
  pages: number
}

export const NO_OPEN_REVISITS: OpenRevisits = { urls: 0, pages: 0 }

/** Whether open revisits have to be counted: they are pages already, and may be visited beyond the page limit. */
export function countsRevisits(settings: CrawlSettings): boolean {
  return settings.maxPages !== null && isRecrawled(settings)
}

/** URLs that may be claimed now. The page limit is exact: no more URLs are in flight than pages are missing. */
export function pageAllowance(
  { maxPages }: CrawlSettings,
  { pages, open, inFlight }: { pages: number; open: number; inFlight: number },
  revisits: OpenRevisits,
): number {
  if (maxPages === null || (revisits.urls > 0 && revisits.urls === open)) return Number.POSITIVE_INFINITY
  return Math.max(0, maxPages - pages - revisits.pages - inFlight)
}

/** Whether the crawl has reached its page limit while URLs or held links are left, so that it has to be closed. */
export function isPageLimitReached(
  settings: CrawlSettings,
  { pages, open, hasHeldLinks }: { pages: number; open: number; hasHeldLinks: boolean },
): boolean {
  const { maxPages } = settings
  return !isRecrawled(settings) && maxPages !== null && pages >= maxPages && (open > 0 || hasHeldLinks)
}

/** Whether a crawl with --recrawl has all its pages, so that new URLs are excluded while revisits go on. */
export function hasAllPages(
  { maxPages }: CrawlSettings,
  { pages, open }: { pages: number; open: number },
  revisits: OpenRevisits,
): boolean {
  return maxPages !== null && pages + revisits.pages >= maxPages && open > revisits.urls
}

/** The status of a crawl that has nothing left to do. `closing` is the reason for which it was closed early. */
function endStatus(closing: string | null): 'cancelled' | 'completed' {
  return closing === 'cancelled' ? 'cancelled' : 'completed'
}

/** The status of a crawl without open URLs. With --recrawl it waits for the next visit, unless it was closed. */
export function idleStatus(settings: CrawlSettings, closing: string | null): CrawlStatus {
  return closing === null && isRecrawled(settings) ? 'watching' : endStatus(closing)
}
