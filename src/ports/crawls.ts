// Crawls as their owner sees them: create, list, watch, stop.

import type { FoundUrl } from './frontier.ts'
import type { CrawlStatus, Ledger, RetriableState } from './state.ts'

/**
 * Index pages of real sites have up to ten thousand links. Each one costs about 1 kB on its way to the store (2026-11).
 */
export const DEFAULT_MAX_LINKS = 20_000

/** The settings of a crawl. `resume` uses them again. */
export interface CrawlSettings {
  scope: 'host' | 'domain' | 'prefix' | 'any'
  include: string[]
  exclude: string[]
  /** Null: no limit. */
  maxDepth: number | null
  maxPages: number | null
  concurrency: number
  perHost: number
  /** Gap between requests to one host. 'auto' follows the host's response time. */
  delayMs: number | 'auto'
  timeoutMs: number
  retries: number
  /** Delay before the first retry. Doubles with each further one. */
  retryDelayMs: number
  maxBodyBytes: number
  userAgent: string
  headers: string[]
  followRedirects: boolean
  ignoreRobots: boolean
  /** Obey robots directives in pages and headers, and rel=nofollow on links. */
  metaRobots: boolean
  relNofollow: boolean
  /** Skip links marked ugc or sponsored. */
  skipUgcSponsored: boolean
  /** Read the sitemaps named by robots.txt. */
  sitemaps: boolean
  /** Follow no links, only the URLs listed in sitemaps. */
  sitemapOnly: boolean
  keepSessionIds: boolean
  maxPathSegments: number
  maxQueryParams: number
  /** Links admitted per page. */
  maxLinks: number
  /** Hold back and cap URL patterns that produce no new content. */
  traps: boolean
  /** Files in Adblock syntax. */
  filterLists: string[]
  allowPrivate: boolean
  /** Addresses, ranges and hosts that may be visited although they are not public. */
  allow: string[]
  insecure: boolean
  /** Read links and text of documents other than HTML. */
  documents: boolean
  /** Which responses are archived. */
  archive: 'all' | 'html' | 'none'
  /** Larger payloads are not archived; 0: only the body limit applies. */
  archiveMaxBytes: number
  /** The same limit for a content type such as image/png or image/*. Takes precedence. */
  archiveMaxByType: Record<string, number>
  /** Only URLs that match an include pattern and no exclude pattern are archived. */
  archiveInclude: string[]
  archiveExclude: string[]
  /** Whether requests are archived too; `masked` hides the values of headers that may be secret. */
  archiveRequests: 'off' | 'masked' | 'full'
  /** Near-duplicates are recorded but not archived. */
  skipNearDuplicates: boolean
  /** Days until page versions expire; null: never. */
  keepDays: number | null
  /** Concurrent requests per server address. */
  perIp: number
  /** Requests per second over all hosts; null: no limit. */
  maxRate: number | null
  /** Pause after the first refusal or failure of a host. Doubles with each further one. 0: none. */
  cooldownMs: number
  /** How long a host that has responded before may be silent before its URLs fail. */
  hostPatienceMs: number
}

export interface NewCrawl {
  seeds: FoundUrl[]
  settings: CrawlSettings
  /** Secret of the URL keys, so that no site can force two URLs to collide. */
  keySeed: number
}

export interface Crawl {
  id: string
  status: CrawlStatus
  /** Why it stopped, unless it simply ran out of URLs. */
  reason: string | null
  rootUrl: string
  seeds: string[]
  settings: CrawlSettings
  keySeed: number
  createdAt: number
  finishedAt: number | null
  /** When its status last changed, by the clock of the store. */
  statusAt: number
  /** Time spent crawling, over all runs. */
  activeMs: number
}

export interface CrawlProgress {
  crawl: Crawl
  ledger: Ledger
  /** Visited URLs that are sitemaps, and therefore not pages. */
  sitemaps: number
  bytes: number
  rejected: Record<string, number>
  lateReports: number
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
  /** In lower case: a prefix of the id, or a part of a seed URL. */
  text?: string
  /** Crawls created before this one, which may have been removed. */
  olderThan?: Pick<Crawl, 'id' | 'createdAt'>
  limit?: number
}

export interface Crawls {
  create(crawl: NewCrawl): Promise<Crawl>
  /** By full id or unique prefix. */
  find(idOrPrefix: string): Promise<Crawl>
  list(wanted?: CrawlListQuery): Promise<CrawlProgress[]>
  progress(crawlId: string): Promise<CrawlProgress>
  /** The most common reasons of finished URLs, with counts. Reads every row: meant for the end of a crawl. */
  reasons(crawlId: string): Promise<Record<string, number>>
  /** Ends a running crawl: queued URLs become `excluded` with this reason, and the crawl completes. */
  close(crawlId: string, reason: string): Promise<void>
  /** A paused crawl grants no leases and is otherwise unchanged. A closing crawl still finishes closing. */
  setPaused(crawlId: string, paused: boolean): Promise<void>
  /** Releases a URL pattern that was capped as a trap and returns how many URLs were requeued. */
  releasePattern(crawlId: string, pattern: string): Promise<number>
  /** Requeues the URLs in this state for one more visit each. A finished crawl then waits to be resumed. */
  retry(crawlId: string, state: RetriableState): Promise<number>
  /** Adds crawling time that ends now. Overlapping times of several workers count once. */
  addActiveTime(crawlId: string, ms: number): Promise<void>
}
