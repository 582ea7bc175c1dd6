// The frontier as a crawl thread sees it: lease hosts that are due, report visits, renew leases.
//
// One commit is one transaction: outcomes, pages, links, discoveries, counters and host pace are written together or
// not at all. If a commit contains a visit report under a lease that is no longer active, it is late: none of its visits,
// links and discoveries is applied, the late reports are counted (G2), and all leases of the thread in this crawl are
// fenced. Host reports and releases of a late commit are applied all the same: the requests were made, and their gap must
// be kept. A thread leaves out links that it has reported before, so after a late commit its reports may be incomplete:
// it must start over. Its hosts and URLs stay leased until it releases them or the leases expire, since it may have
// requests in flight.
//
// The calls of a thread for a crawl take effect in order. After a failed call, later calls of the same thread for the
// same crawl fail too.

import type { RequestRate } from '../config/policies/host-settings.ts'
import type { CrawlStatus, TerminalState } from '../lib/states.ts'
import type { PageReport } from './pages.ts'
import type { PatternReport } from './patterns.ts'
import type { RenderReport } from './render-patterns.ts'

/** A longer chain of redirects is not followed. Its last URL gets the reason `too_many_redirects`. */
export const MAX_REDIRECTS = 10
/** The reason of every URL in a redirect loop, no matter which workers followed it and in which order. */
export const REDIRECT_LOOP = 'redirect_loop'

export interface LeaseRequest {
  crawlId: string
  /** The id of its worker with a number, such as w2f9-0. */
  threadId: string
  /** URLs to grant at most, over all hosts. */
  maxUrls: number
  maxHosts: number
  /** Concurrent requests that this thread can make to one host. */
  slotsPerHost: number
  /** Active leases of this thread that run low. Each may be granted more URLs under the same token. */
  topUp: number[]
  /** `patternsVersion` of the last grant; 0 at first. */
  patternsVersion: number
  /** With `--render auto`: the number of patterns to render in the last grant that had any. */
  renderPatterns?: number
}

/**
 * How a URL is read: as a page with links, as a sitemap, or as a requisite, which is part of a page (an image, a style
 * sheet, a font, a script) and is archived without being read. A URL has one kind: a requisite that a page links to
 * becomes a page, and a URL that is named as a sitemap becomes one.
 */
export const URL_KINDS = ['page', 'sitemap', 'requisite'] as const
export type UrlKind = (typeof URL_KINDS)[number]

export interface LeasedUrl {
  id: number
  url: string
  kind: UrlKind
  depth: number
  /** Redirects since the last link. */
  hops: number
  /** Earlier visits since it was queued. */
  attempts: number
  /** When it was discovered, or when its retry or revisit was due (ms since 1970). */
  dueAt: number
  /** Null if the parent is on another host, or has no ancestry. */
  ancestry: Ancestry | null
  /** Null if it was not visited before, if its last visit failed, or if what was archived then is gone. */
  lastVisit: LastVisit | null
}

/** What the last visit of a URL found, so that the next one can tell whether it has changed. */
export interface LastVisit {
  state: TerminalState
  /** Of ports/revisits.ts. */
  seenHash: string | null
  reason: string | null
  /** To be sent with the request; null if the response must contain the content. */
  validators: Validators | null
}

/** Of a response. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** What a URL inherits from its parent (see engine/traps/trap-detector.ts). */
export interface Ancestry {
  /** Skeleton hashes of the parent and its ancestors, nearest first. */
  skeletons: readonly number[]
  /** The URL pattern that is on trial with this URL. */
  trial: string | null
}

export interface Lease {
  /** Fencing token. Never reused, and checked on every write. */
  token: number
  hostId: number
  host: string
  slots: number
  /** The host may not be requested before this time (ms since 1970). */
  notBefore: number
  /** Mean response time of the host as last reported; 0 if it has never responded. */
  responseMs: number
  /** The gap as last reported; 0 if none was. */
  gapMs: number
  /** Concurrent requests that the host accepts, learned from its refusals; 0 if no limit is known. */
  concurrencyLimit: number
  health: HostHealth
  /** Null if the settings of the crawl apply. */
  policy: LeasePolicy | null
  urls: LeasedUrl[]
}

/** The settings of the crawl at a host that has a policy. */
export interface LeasePolicy {
  delayMs: number | 'auto'
  perHost: number
  rate: RequestRate | null
  /** The policy decides the delay. */
  isDelayFromPolicy: boolean
}

/**
 * How a host has responded recently. Only `strikes` survives a restart of the store; on Postgres the other fields are
 * reset when the first process joins, or when a lease on the host is lost.
 */
export interface HostHealth {
  /** Raised by refusals and failures, lowered by good responses. Lengthens the next cooldown. */
  strikes: number
  /** Consecutive requests without a response. */
  failures: number
  /** When the first of them was made; 0 while the host responds. */
  failingSince: number
  /** The host is down until this time: its URLs end without a request. */
  downUntil: number
  /** Share of recent responses that were refusals or errors, 0 to 1. */
  failureShare: number
  /** Since when every response is a refusal; 0 while the host serves pages. */
  refusingSince: number
}

export const HEALTHY_HOST: HostHealth = {
  strikes: 0,
  failures: 0,
  failingSince: 0,
  downUntil: 0,
  failureShare: 0,
  refusingSince: 0,
}

export interface LeaseGrant {
  leases: Lease[]
  status: CrawlStatus
  /** The crawl is ending: start no more requests, and report and release everything. */
  closing: boolean
  /** If nothing was granted: when to ask again, or null if only a commit can bring work. */
  nextDueAt: number | null
  /** URL patterns that changed since the version in the request. */
  patterns: PatternReport[]
  patternsVersion: number
  /** All URL patterns whose pages are to be rendered, if their number is not that of the request. */
  renderPatterns?: string[]
  /** Changes with the policies of hosts. Hosts leased before the change are to be released. */
  policiesVersion: number
  /** Counts the notifications of new work. Pass it to `waitForWork`. */
  wakeCount: number
}

/** What a sitemap states about a URL. */
export interface SitemapListing {
  lastmod: number | null
  changefreq: string | null
  /** 0 to 1, relative to the other URLs of the site. */
  priority: number | null
}

/** What can announce that a URL has changed. */
export const SIGNAL_KINDS = ['sitemap', 'feed'] as const
export type SignalKind = (typeof SIGNAL_KINDS)[number]

/** A sitemap or a feed lists the URL, with the time of its last change. */
export interface FoundListing extends SitemapListing {
  source: SignalKind
}

/** A discovered URL in canonical form that has passed scope and filters. */
export interface FoundUrl {
  url: string
  host: string
  key: bigint
  kind: UrlKind
  /** Found in a meta refresh, which counts as a redirect. */
  isRefresh: boolean
  listing: FoundListing | null
  /** Only a script of the page names it. */
  isFromScript?: true
}

/** `retry` returns the URL to the queue; all other states are terminal. */
export type VisitOutcome =
  | { state: TerminalState; reason: string | null }
  | { state: 'retry'; reason: string; dueAt: number }

/** Details of one fetch. Missing ones are null, so that the rows of all outcomes have the same columns. */
export interface VisitFacts {
  httpStatus: number | null
  contentType: string | null
  contentLength: number | null
  /** SHA-256 of the body in hex. */
  contentHash: string | null
  title: string | null
  redirectTo: string | null
  /** The canonical URL that the page names. */
  canonical: string | null
  /** The page opts out of search indexes. */
  noindex: boolean
  /** The page asks crawlers not to follow its links. Not stored, but noticed when it changes. */
  nofollow: boolean
  fetchMs: number | null
  /** From the end of the response until it was read. */
  processingMs: number | null
  ip: string | null
  /** The CNAME chain of the host, in order, separated by spaces. */
  cname: string | null
  visitedAt: number
}

/** What a recrawled crawl needs for the next visit. */
export interface FreshnessReport extends Validators {
  /** The server said so (304), or the same content came again: nothing of the last visit has changed. */
  isUnchanged: boolean
  /** How long the response stays fresh in caches; null if the server does not say. */
  maxAgeMs: number | null
}

export interface VisitReport {
  token: number
  urlId: number
  outcome: VisitOutcome
  /** Null: decided without a request, so that no visit is recorded. */
  facts: VisitFacts | null
  /** What was archived of the response. */
  page: PageReport | null
  /**
   * URLs that this thread has not reported before at this depth or a lower one. All links if they are beyond the depth
   * or redirect limit, which does not apply to requisites.
   */
  found: FoundUrl[]
  /** Null if the page has no new links, or trap detection is off. */
  traps: TrapFindings | null
  /** How many of the batch's link keys belong to this visit. */
  linkCount: number
  /** Null if the crawl does not visit URLs again, or nothing was received. */
  freshness: FreshnessReport | null
  /** With `--render auto`, if the page may have to be rendered or its pattern does. */
  render?: RenderReport
}

export interface TrapFindings {
  /** Inherited by the URLs found in the page. */
  skeletons: readonly number[]
  /**
   * Links that enter the ledger only when nothing else is left and their pattern is admitted (see ports/patterns.ts).
   */
  held: { pattern: string; found: FoundUrl[] } | null
  /**
   * Hashes of the lines of a page that holds links or is on trial. A trial is judged by how many are new to its
   * pattern.
   */
  lineHashes: readonly number[]
}

export interface HostReport {
  hostId: number
  /** The host may not be requested again before this time. */
  nextAt: number
  responseMs: number
  /** The gap in use, so that it outlives a crash. */
  gapMs: number
  /**
   * Null: nothing was learned, and the store keeps its value. While it is below the slots of a crawl, the host is
   * exclusive, since only a single thread can keep to it.
   */
  concurrencyLimit: number | null
  health: HostHealth
}

/**
 * Whether the host is known to refuse concurrent requests. The limit is dropped only when it has grown to twice what the
 * crawl asks for, so that one good stretch does not end it. 0 means that no limit is known.
 */
export function hasConcurrencyLimit(concurrencyLimit: number, perHost: number): boolean {
  return concurrencyLimit > 0 && concurrencyLimit < 2 * perHost
}

/** Samples kept per reason. */
export const MAX_REJECTED_SAMPLES = 20

/** A link that was not admitted, as a sample of its reason. */
export interface RejectedLinkSample {
  reason: string
  text: string
  urlId: number
}

/**
 * A response to a request of a rendered page. It becomes a visited requisite of the crawl, unless the URL is known as
 * something else; of equal responses to a URL that follow each other, one is recorded.
 */
export interface SubresourceReport {
  /** Id of the page. */
  parent: number
  found: FoundUrl
  state: 'visited' | 'redirected'
  facts: VisitFacts
  page: PageReport
}

/** Requests that were sent to a host. */
export interface HostRequests {
  /** For URLs and robots.txt. */
  sent: number
  /** By rendered pages. */
  rendered: number
}

export interface CommitBatch {
  crawlId: string
  threadId: string
  visits: VisitReport[]
  /** URLs that were not found in a page: sitemaps named by robots.txt. */
  found: FoundUrl[]
  /** Keys of all admitted links, each once per page, in the order of the visits: 8 bytes each, little-endian. */
  linkKeys: Uint8Array
  /** Of two reports of one host, the one with the later `nextAt` is recorded. */
  hosts: HostReport[]
  /** Number of links that were not admitted, by reason. */
  rejected: Record<string, number>
  samples: RejectedLinkSample[]
  /** By host. Recorded even if the commit is late. */
  requests: Record<string, HostRequests>
  subresources: SubresourceReport[]
  /** Leases to release. Their unreported URLs are requeued at once. */
  release: number[]
  /** Bytes received, for the totals of the crawl. */
  bytes: number
  /** Reports that the sender has rejected as late, for the totals of the crawl. */
  lateReports?: number
}

export interface CommitResult {
  status: CrawlStatus
  closing: boolean
  /** Reports whose lease was no longer active. If there are any, the whole batch was rejected. */
  late: number
  added: number
}

/** What a crawl thread may call. */
export type LoopFrontier = Omit<Frontier, 'requeueThread'>

export interface Frontier {
  lease(request: LeaseRequest): Promise<LeaseGrant>
  commit(batch: CommitBatch): Promise<CommitResult>
  /** Extends the active leases and returns the tokens that are no longer active. */
  renew(tokens: number[]): Promise<number[]>
  /**
   * Requeues all URLs that a thread has in flight in a crawl, once it is gone. Its hosts can be leased after
   * their gap. Runs after all earlier calls of the thread, failed or not.
   */
  requeueThread(crawlId: string, threadId: string): Promise<void>
  /**
   * Resolves when URLs may have become leasable since the grant with this wake count, at the latest after `timeoutMs`.
   */
  waitForWork(timeoutMs: number, wakeCount: number): Promise<void>
}
