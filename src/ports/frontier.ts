// The frontier as a worker sees it: take a lease on hosts that are due, report visits, keep the lease alive.
// One commit is one transaction: outcomes, pages, links, discoveries, counters and host pace happen together
// or not at all. A report under a lease that is no longer held changes nothing and is counted (G2); with it the whole
// commit is refused and its worker loses every lease it has in this crawl. A worker leaves out links that it has reported
// before, so after a report that did not count, nothing else it says of the crawl can be trusted to be complete: it must
// start over. Its hosts and urls stay taken until it hands them back or the leases lapse: it may have requests under way.
// The calls of a worker for a crawl take effect in the order they were made, and none does after one that failed. Crawls
// that have a worker of the same name are nothing to each other.

import type { PageReport } from './pages.ts'
import type { PatternReport } from './patterns.ts'
import type { CrawlStatus, TerminalState } from './state.ts'

/** A chain of redirects longer than this is not followed; its end keeps the reason `too_many_redirects`. */
export const MAX_REDIRECTS = 10
/** The reason of every url in a circle of redirects, however many workers walked it and in whatever order. */
export const REDIRECT_LOOP = 'redirect_loop'

export interface LeaseRequest {
  crawlId: string
  workerId: string
  /** At most so many urls over all hosts. */
  maxUrls: number
  maxHosts: number
  /** How many requests at a time this worker can give to one host. */
  slotsPerHost: number
  /** Leases held by this worker that run short: each may come back with more urls under the same token. */
  topUp: number[]
  /** The `patternsVersion` of the last grant, 0 at first. */
  patternsVersion: number
}

/** How a url is read: as a page with links, or as a sitemap, which lists urls. */
export const URL_KINDS = ['page', 'sitemap'] as const
export type UrlKind = (typeof URL_KINDS)[number]

export interface LeasedUrl {
  id: number
  url: string
  kind: UrlKind
  depth: number
  /** Redirects that led here, counted from the last link. */
  hops: number
  /** Visits made before this one. */
  attempts: number
  /** When it was found, or when its retry was due (ms since 1970). */
  dueAt: number
  /** Null when the page that leads here is on another host, or nothing is known of it. */
  ancestry: Ancestry | null
}

/** What a url has from the page that leads to it (see engine/traps/trap-detector.ts). */
export interface Ancestry {
  /** Hashes of what that page and the pages before it say, the nearest first. */
  skeletons: readonly number[]
  /** The pattern that held this url back and is judged by what it brings. */
  trial: string | null
}

export interface Lease {
  /** Fencing token: never given twice, checked on every write. */
  token: number
  hostId: number
  host: string
  slots: number
  /** The host may not be asked before this time (ms since 1970). */
  notBefore: number
  /** Mean response time of the host as last reported, 0 when it has never answered. */
  responseMs: number
  /** The gap as last reported, 0 when nobody has. */
  gapMs: number
  /** Requests at a time that the host takes, as learnt from its refusals; 0: no limit is known. */
  concurrencyLimit: number
  health: HostHealth
  urls: LeasedUrl[]
}

/** How a host has taken our requests lately. */
export interface HostHealth {
  /** Raised by refusals and failures, lowered by good answers; lengthens the pause after the next one. */
  strikes: number
  /** Requests in a row that got no answer at all. */
  failures: number
  /** When the first of those was made; 0 while the host answers. */
  failingSince: number
  /** Given up until then: its urls end without a request. Forgotten by a restart. */
  downUntil: number
  /** Share of its recent answers that were refusals or errors, 0 to 1. Forgotten by a restart. */
  failureShare: number
  /** Since when it answers nothing but refusals; 0 while it serves pages. Forgotten by a restart. */
  refusingSince: number
}

export const HEALTHY_HOST: HostHealth = {
  ...{ strikes: 0, failures: 0, failingSince: 0, downUntil: 0 },
  ...{ failureShare: 0, refusingSince: 0 },
}

export interface LeaseGrant {
  leases: Lease[]
  status: CrawlStatus
  /** The crawl is about to end: start nothing more, report and release what is held. */
  closing: boolean
  /** When nothing was granted: the earliest time at which asking again can help, or null if only a commit can. */
  nextDueAt: number | null
  /** Patterns of urls that changed since the version of the request. */
  patterns: PatternReport[]
  patternsVersion: number
  /** How often the store had heard of new work before it looked; `waitForWork` compares it. */
  wakeCount: number
}

/** What a sitemap says of a url. */
export interface SitemapListing {
  lastmod: number | null
  changefreq: string | null
  /** 0 to 1, for the eyes of its own site only. */
  priority: number | null
}

/** A url that a page led to, in canonical form, past scope and filters. */
export interface FoundUrl {
  url: string
  host: string
  key: bigint
  kind: UrlKind
  /** The page leads there by a meta refresh, which counts as a redirect. */
  isRefresh: boolean
  listing: SitemapListing | null
}

/** What became of one visit. `retry` sends the url back to the queue; the others are terminal. */
export type VisitOutcome =
  | { state: TerminalState; reason: string | null }
  | { state: 'retry'; reason: string; dueAt: number }

/** What one fetch learnt. Absent parts are null, so that rows of every outcome have one shape. */
export interface VisitFacts {
  httpStatus: number | null
  contentType: string | null
  contentLength: number | null
  /** SHA-256 of the body in hex. */
  contentHash: string | null
  title: string | null
  redirectTo: string | null
  /** What the page names as its proper url. */
  canonical: string | null
  /** The page asks not to be in a search index. */
  noindex: boolean
  fetchMs: number | null
  ip: string | null
  /** Names that the host name stands for, in order, separated by spaces. */
  cname: string | null
  visitedAt: number
}

export interface VisitReport {
  token: number
  urlId: number
  outcome: VisitOutcome
  /** null: decided without a request, so there is no visit to record. */
  facts: VisitFacts | null
  /** What was kept of the answer. */
  page: PageReport | null
  /** Urls this worker has not reported before at this depth or a lower one; every link when it lies beyond the depth or redirect limit. */
  found: FoundUrl[]
  /** Null when the page leads to nothing new, or nobody looks for traps. */
  traps: TrapFindings | null
  /** How many of the batch's link keys belong to this visit. */
  links: number
}

export interface TrapFindings {
  /** For the urls that the page leads to. */
  skeletons: readonly number[]
  /** Links that enter the ledger only when nothing else is left and their pattern is let in (see ports/patterns.ts). */
  held: { pattern: string; found: FoundUrl[] } | null
  /** Hashes of lines of a page that holds links or is on trial; a trial is judged by how many are new to its pattern. */
  lines: readonly number[]
}

export interface HostReport {
  hostId: number
  /** The host may not be asked again before this time. */
  nextAt: number
  responseMs: number
  /** The gap kept so far, so that a restart right after a crash keeps it too. */
  gapMs: number
  /**
   * Null: nothing was learnt, and the store keeps what it has. While it is set and lower than the slots of a crawl, the
   * host belongs whole to one worker, which alone can keep to it.
   */
  concurrencyLimit: number | null
  health: HostHealth
}

/** Samples kept per reason. */
export const MAX_REJECTED_SAMPLES = 20

/** A link that was not admitted, as a sample of its reason. */
export interface RejectedLinkSample {
  reason: string
  text: string
  urlId: number
}

export interface CommitBatch {
  crawlId: string
  workerId: string
  visits: VisitReport[]
  /** Urls that stand in no page: sitemaps named by robots.txt. */
  found: FoundUrl[]
  /** Keys of every admitted link, each once a page, in the order of the visits: 8 bytes each, little-endian. */
  linkKeys: Uint8Array
  /** Of two reports of one host the one with the later `nextAt` counts. */
  hosts: HostReport[]
  /** Links that were not admitted, by reason. */
  rejected: Record<string, number>
  samples: RejectedLinkSample[]
  /** Leases handed back with this commit; their unreported urls are queued again at once. */
  release: number[]
  /** Bytes received, for the crawl's totals. */
  bytes: number
}

export interface CommitResult {
  status: CrawlStatus
  closing: boolean
  /** Visits whose lease was no longer held; when there are any, none of the batch counted. */
  late: number
  added: number
}

/** What a crawl thread uses. */
export type LoopFrontier = Omit<Frontier, 'requeueWorker'>

export interface Frontier {
  lease(request: LeaseRequest): Promise<LeaseGrant>
  commit(batch: CommitBatch): Promise<CommitResult>
  /** Extends the leases still held; answers the tokens that were not. */
  renew(tokens: number[]): Promise<number[]>
  /**
   * Takes back everything a worker holds of a crawl, once its thread is gone: the urls are queued again and the hosts can
   * be had after their gap. It happens after the calls that the worker made, whether those failed or not.
   */
  requeueWorker(crawlId: string, workerId: string): Promise<void>
  /**
   * Resolves when urls may have become leasable since the grant that said `heard`, or after `timeoutMs` at the latest.
   */
  waitForWork(timeoutMs: number, heard: number): Promise<void>
}
