// A crawl as the store knows it, for commands that look at one without running it.

import type { CrawlProgress } from '../ports/crawls.ts'
import type { LiveSnapshot } from './live/snapshot.ts'

export function snapshotAtRest(progress: CrawlProgress): LiveSnapshot {
  const { crawl, ledger, bytes, rejected } = progress
  return {
    crawlId: crawl.id,
    rootUrl: crawl.rootUrl,
    status: crawl.status,
    reason: crawl.reason,
    ledger,
    bytes,
    rejected,
    maxPages: crawl.settings.maxPages,
    elapsedMs: crawl.activeMs,
    pagesPerSecond: 0,
    inFlight: 0,
    hosts: [],
    draining: false,
  }
}
