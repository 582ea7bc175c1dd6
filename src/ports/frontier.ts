// The frontier as a worker sees it: take a lease on hosts that are due, report visits, keep the lease alive.
// One commit is one transaction: outcomes, pages, links, discoveries, counters and host pace happen together
// or not at all. A report under a lease that is no longer held changes nothing and is counted (G2); with it the whole
// commit is refused and its worker loses every lease it has. A worker leaves out links that it has reported before, so
// after a report that did not count, nothing else it says can be trusted to be complete: it must start over.

import type { CrawlStatus, TerminalState } from './state.ts'

/** A chain of redirects longer than this is not followed; its end keeps the reason `too_many_redirects`. */
export const MAX_REDIRECTS = 10

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
}

export interface LeasedUrl {
  id: number
  url: string
  depth: number
  /** Redirects that led here, counted from the last link. */
  hops: number
  /** Visits made before this one. */
  attempts: number
}

export interface Lease {
  /** Fencing token: never given twice, checked on every write. */
  token: number
  hostId: number
  host: string
  slots: number
  /** The host may not be asked before this time (ms since 1970). */
  notBefore: number
  /** Mean response time of the host as last reported, 0 when unknown. */
  responseMs: number
  urls: LeasedUrl[]
}

export interface LeaseGrant {
  leases: Lease[]
  status: CrawlStatus
  /** The crawl is about to end: start nothing more, report and release what is held. */
  closing: boolean
  /** When nothing was granted: the earliest time at which asking again can help, or null if only a commit can. */
  nextDueAt: number | null
}

/** A url that a page led to, in canonical form, past scope and filters. */
export interface FoundUrl {
  url: string
  host: string
  key: bigint
}

/** What became of one visit. `retry` sends the url back to the queue; the others are terminal. */
export type Verdict =
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
  fetchMs: number | null
  ip: string | null
  visitedAt: number
}

export interface VisitReport {
  token: number
  urlId: number
  verdict: Verdict
  /** null: decided without a request, so there is no visit to record. */
  facts: VisitFacts | null
  /** Urls this worker has not reported before at this depth or a lower one; every link when it lies beyond the depth or redirect limit. */
  found: FoundUrl[]
  /** How many of the batch's link keys belong to this visit. */
  links: number
}

export interface HostReport {
  hostId: number
  /** The host may not be asked again before this time. */
  nextAt: number
  responseMs: number
  /** The gap kept so far, so that a restart right after a crash keeps it too. */
  gapMs: number
}

export interface CommitBatch {
  crawlId: string
  workerId: string
  visits: VisitReport[]
  /** Keys of every admitted link, each once a page, in the order of the visits: 8 bytes each, little-endian. */
  linkKeys: Uint8Array
  hosts: HostReport[]
  /** Links that were not admitted, by reason. */
  rejected: Record<string, number>
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

export interface Frontier {
  lease(request: LeaseRequest): Promise<LeaseGrant>
  commit(batch: CommitBatch): Promise<CommitResult>
  /** Extends the leases still held; answers the tokens that were not. */
  renew(tokens: number[]): Promise<number[]>
  /** Resolves when urls may have become leasable, or after `timeoutMs` at the latest. */
  waitForWork(timeoutMs: number): Promise<void>
}
