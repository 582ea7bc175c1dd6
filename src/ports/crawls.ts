// Crawls as their owner sees them: made, listed, watched, stopped.

import type { CrawlSettings } from '../config/crawl-settings.ts'
import type { FoundUrl } from './frontier.ts'
import type { CrawlStatus, Ledger, RetriableState } from './state.ts'

export type { CrawlSettings }

export interface NewCrawl {
  seeds: FoundUrl[]
  settings: CrawlSettings
  /** Secret of the url keys, so that no site can make two urls collide on purpose. */
  keySeed: number
}

export interface Crawl {
  id: string
  status: CrawlStatus
  /** Why it stopped, when it did not simply run out of urls. */
  reason: string | null
  rootUrl: string
  seeds: string[]
  settings: CrawlSettings
  keySeed: number
  createdAt: number
  finishedAt: number | null
  /** When its status last changed, by the clock of the store's machine. */
  statusAt: number
  /** Time spent crawling, over all runs. */
  activeMs: number
}

export interface CrawlProgress {
  crawl: Crawl
  ledger: Ledger
  /** How many of the visited urls were sitemaps, and so no pages. */
  sitemaps: number
  bytes: number
  rejected: Record<string, number>
  lateReports: number
}

export interface RejectedLinkExample {
  reason: string
  text: string
  /** The page it stands on. */
  pageUrl: string
}

/** Which crawls of a list, newest first. */
export interface CrawlListQuery {
  status?: CrawlStatus
  /** In lower case: a beginning of the id, or part of a start url. */
  text?: string
  /** Those made before this one, also when it is gone by now. */
  olderThan?: Pick<Crawl, 'id' | 'createdAt'>
  limit?: number
}

export interface Crawls {
  create(crawl: NewCrawl): Promise<Crawl>
  /** Finds by full id or by a beginning that only one crawl has. */
  find(idOrPrefix: string): Promise<Crawl>
  list(wanted?: CrawlListQuery): Promise<CrawlProgress[]>
  progress(crawlId: string): Promise<CrawlProgress>
  /** The commonest reasons of ended urls, with counts. Reads every row: for the end of a crawl. */
  reasons(crawlId: string): Promise<Record<string, number>>
  /** Ends a running crawl: what is queued becomes `excluded` with this reason, and the crawl completes. */
  close(crawlId: string, reason: string): Promise<void>
  /** A paused crawl hands out no leases; everything else about it stays. One that is about to end goes on ending. */
  setPaused(crawlId: string, paused: boolean): Promise<void>
  /** Lets a pattern of urls go that was taken for a trap; answers how many urls are queued again. */
  releasePattern(crawlId: string, pattern: string): Promise<number>
  /** Queues urls that ended in this state for one more visit each; a finished crawl then waits to be resumed. */
  retry(crawlId: string, state: RetriableState): Promise<number>
  /** The last `ms` were spent crawling; what several workers say of the same time counts once. */
  addActiveTime(crawlId: string, ms: number): Promise<void>
}
