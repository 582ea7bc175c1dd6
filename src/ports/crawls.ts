// Crawls as their owner sees them: made, listed, watched, stopped.

import type { FoundUrl } from './frontier.ts'
import type { CrawlStatus, Ledger } from './state.ts'

/** The settings a crawl keeps for its whole life; `resume` uses them again. */
export interface CrawlSettings {
  scope: 'host' | 'domain' | 'prefix' | 'any'
  include: string[]
  exclude: string[]
  /** null: no limit. */
  maxDepth: number | null
  maxPages: number | null
  concurrency: number
  perHost: number
  /** Gap between requests to one host; 'auto' follows the host's own response time. */
  delayMs: number | 'auto'
  timeoutMs: number
  retries: number
  /** Wait before the first retry; doubles with each further one. */
  retryDelayMs: number
  maxBodyBytes: number
  userAgent: string
  headers: string[]
  followRedirects: boolean
  ignoreRobots: boolean
  allowPrivate: boolean
}

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
  /** Time spent crawling, over all runs. */
  activeMs: number
}

export interface CrawlProgress {
  crawl: Crawl
  ledger: Ledger
  bytes: number
  rejected: Record<string, number>
  lateReports: number
}

export interface Crawls {
  create(crawl: NewCrawl): Promise<Crawl>
  /** Finds by full id or by a beginning that only one crawl has. */
  find(idOrPrefix: string): Promise<Crawl>
  list(): Promise<CrawlProgress[]>
  progress(crawlId: string): Promise<CrawlProgress>
  /** The commonest reasons of ended urls, with counts. Reads every row: for the end of a crawl. */
  reasons(crawlId: string): Promise<Record<string, number>>
  /** Ends a running crawl: what is queued becomes `excluded` with this reason, and the crawl completes. */
  close(crawlId: string, reason: string): Promise<void>
  /** A paused crawl hands out no leases; everything else about it stays. */
  setPaused(crawlId: string, paused: boolean): Promise<void>
  addActiveTime(crawlId: string, ms: number): Promise<void>
}
