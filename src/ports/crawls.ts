// Crawls as their owner sees them: made, listed, watched, stopped.

import type { FoundUrl } from './frontier.ts'
import type { CrawlStatus, Ledger, RetriableState } from './state.ts'

/** Index pages of real sites have some ten thousand links. Each one kept costs about 1 kB on its way to the store (2026-11). */
export const DEFAULT_MAX_LINKS = 20_000

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
  /** Heed robots directives in pages and headers, and rel=nofollow on links. */
  metaRobots: boolean
  relNofollow: boolean
  /** Leave out links marked ugc or sponsored. */
  skipUgcSponsored: boolean
  /** Read the sitemaps that robots.txt names. */
  sitemaps: boolean
  /** Follow no links, only what sitemaps list. */
  sitemapOnly: boolean
  keepSessionIds: boolean
  maxPathSegments: number
  maxQueryParams: number
  /** Links kept of one page. */
  maxLinks: number
  /** Slow and cap patterns of urls that bring nothing new. */
  traps: boolean
  /** Files in the Adblock syntax. */
  filterLists: string[]
  allowPrivate: boolean
  /** Addresses, ranges and hosts that may be visited though they are not public. */
  allow: string[]
  insecure: boolean
  /** Read links and text of documents that are no html. */
  documents: boolean
  /** Which answers are kept. */
  archive: 'all' | 'html' | 'none'
  /** Longer payloads are not kept; 0: no limit but that of the body. */
  archiveMaxBytes: number
  /** The same for types of content, such as image/png or image/*; these go before. */
  archiveMaxByType: Record<string, number>
  /** Only urls that match one of these are kept, and none that match one of those. */
  archiveInclude: string[]
  archiveExclude: string[]
  /** Whether the requests of those are kept too, and then with the values of headers that may be secret. */
  archiveRequests: 'off' | 'masked' | 'full'
  /** Pages whose text is nearly that of another are not kept, only noted. */
  skipNearDuplicates: boolean
  /** How long versions of pages are kept; null: for ever. */
  keepDays: number | null
  /** Requests under way at a time to one server address. */
  perIp: number
  /** Requests a second over all hosts; null: no limit. */
  maxRate: number | null
  /** Pause after a host's first refusal or failure; doubles with each further one. 0: none. */
  cooldownMs: number
  /** How long a host that used to answer may be silent before its urls are given up. */
  hostPatienceMs: number
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
