// Crawls as their owner sees them: create, list, follow, stop.

import type { CrawlSettings } from '../config/crawl-settings.ts'
import type { CrawlStatus, Ledger, RetriableState } from '../lib/states.ts'
import type { FoundUrl } from './visits.ts'

export type { CrawlSettings }

/** Closing reason of a crawl that its owner completed. */
export const COMPLETED_BY_USER = 'completed_by_user'

export interface NewCrawl {
  seeds: FoundUrl[]
  /** The first seed as it was given, if normalisation changed it. */
  requestedUrl?: string
  settings: CrawlSettings
  /** Secret of the URL keys, so that no site can force two URLs to collide. */
  keySeed: number
}

export interface Crawl {
  id: string
  status: CrawlStatus
  /** Why it stopped or is about to stop, unless it simply ran out of URLs. */
  reason: string | null
  rootUrl: string
  /** The first seed as it was given, before normalisation. */
  requestedUrl: string
  seeds: string[]
  settings: CrawlSettings
  keySeed: number
  createdAt: number
  finishedAt: number | null
  /** When its status last changed, on the clock of the store. */
  statusAt: number
  /** Time spent crawling, over all runs. */
  activeMs: number
}

/** A URL that a crawl thread or an external crawler has leased. */
export interface UrlInFlight {
  urlId: number
  threadId: string
  leasedAt: number
  /** Later than `leasedAt` if its holder has renewed the lease. */
  renewedAt: number
}

export interface CrawlProgress {
  crawl: Crawl
  ledger: Ledger
  /** Visited URLs that are sitemaps, and therefore not pages. */
  sitemaps: number
  /** Visited URLs that are requisites, and therefore not pages. */
  requisites: number
  bytes: number
  rejected: Record<string, number>
  lateReports: number
  /** When the next URL is due again; null if none is planned. */
  nextVisitAt: number | null
}

export interface RejectedLinkExample {
  reason: string
  text: string
  /** The page that contains the link. */
  pageUrl: string
}

/** A list of crawls, newest first. */
export interface CrawlListQuery {
  status?: CrawlStatus
  /** Prefix of the id or part of a seed URL, in lower case. */
  text?: string
  /** Only crawls created before this one, which may have been removed. */
  olderThan?: Pick<Crawl, 'id' | 'createdAt'>
  limit?: number
}

export interface Crawls {
  create(crawl: NewCrawl): Promise<Crawl>
  /** Finds a crawl by its full id or a unique prefix. */
  find(idOrPrefix: string): Promise<Crawl>
  list(wanted?: CrawlListQuery): Promise<CrawlProgress[]>
  progress(crawlId: string): Promise<CrawlProgress>
  urlsInFlight(crawlId: string): Promise<UrlInFlight[]>
  /** The reasons of finished URLs with counts, the most common first; all traps are one, `trap`, and so are all robots rules. Reads every row: meant for the end of a crawl. */
  reasons(crawlId: string): Promise<Record<string, number>>
  /**
   * Ends an unfinished crawl: queued URLs become `excluded` with this reason, except for queued revisits, which
   * return to their last outcome; then the crawl completes.
   */
  close(crawlId: string, reason: string): Promise<void>
  /** A paused crawl grants no leases and is otherwise unchanged. A closing crawl still finishes closing. */
  setPaused(crawlId: string, paused: boolean): Promise<void>
  /** Releases a URL pattern that was excluded as a trap and returns how many URLs were requeued. */
  releasePattern(crawlId: string, pattern: string): Promise<number>
  /** Requeues the URLs in this state for one more visit each. A finished crawl then waits to be resumed. */
  retry(crawlId: string, state: RetriableState): Promise<number>
  /** Adds crawling time that ends now. Overlapping times of several workers count once. */
  addActiveTime(crawlId: string, ms: number): Promise<void>
}
