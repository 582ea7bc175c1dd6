// A crawl as the store knows it, for commands that look at one without running it.

import type { CrawlProgress } from '../ports/crawls.ts'
import type { HoldReason } from '../ports/hold-reasons.ts'
import type { LiveSnapshot } from './live/live-snapshot.ts'

/** `heldBy` is what holds the crawl up, if it is being worked on. */
export function storedSnapshot(progress: CrawlProgress, heldBy: HoldReason | null): LiveSnapshot {
  const { crawl, ledger, sitemaps, bytes, rejected } = progress
  return {
    crawlId: crawl.id,
    rootUrl: crawl.rootUrl,
    status: crawl.status,
    reason: crawl.reason,
    ledger,
    sitemaps,
    bytes,
    rejected,
    maxPages: crawl.settings.maxPages,
    elapsedMs: crawl.activeMs,
    pagesPerSecond: 0,
    inFlight: 0,
    hosts: [],
    waits: [],
    held: crawl.status === 'running' ? heldBy : null,
    draining: false,
  }
}
