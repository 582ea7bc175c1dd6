// Builds a snapshot of a crawl from the store, for commands that show a crawl without running it.

import { isActive } from '../lib/states.ts'
import type { CrawlProgress } from '../ports/crawls.ts'
import type { HoldReason } from '../ports/hold-reasons.ts'
import type { CrawlSnapshot } from './live/crawl-snapshot.ts'

/** `holdReason` applies only if the crawl is running. */
export function storedSnapshot(progress: CrawlProgress, holdReason: HoldReason | null): CrawlSnapshot {
  const { crawl, ledger, sitemaps, requisites, bytes, rejected } = progress
  return {
    crawlId: crawl.id,
    rootUrl: crawl.rootUrl,
    status: crawl.status,
    reason: crawl.reason,
    ledger,
    sitemaps,
    requisites,
    bytes,
    rejected,
    maxPages: crawl.settings.maxPages,
    sitemapOnly: crawl.settings.sitemapOnly,
    elapsedMs: crawl.activeMs,
    pagesPerSecond: 0,
    inFlight: 0,
    hosts: [],
    waits: [],
    held: isActive(crawl.status) ? holdReason : null,
    draining: false,
    nextVisitInMs: nextVisitInMs(progress.nextVisitAt),
    runsElsewhere: true,
  }
}

/** Null if no visit is planned. */
export function nextVisitInMs(nextVisitAt: number | null): number | null {
  return nextVisitAt === null ? null : Math.max(0, nextVisitAt - Date.now())
}
