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

import type { CrawlStatus } from '../lib/states.ts'
import type { HostHealth, LeaseGrant, LeaseRequest } from './leases.ts'
import type { FoundUrl, SubresourceReport, VisitReport } from './visits.ts'

export interface HostReport {
  hostId: number
  /** The host may not be requested again before this time. */
  nextAt: number
  responseMs: number
  /** The gap in use, so that it outlives a crash. */
  gapMs: number
  /**
   * Null: nothing was learned, and the store keeps its value. While the limit is below the slots of a crawl, the
   * host is exclusive, since only a single thread can respect it.
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

/** Requests that were sent to a host. */
export interface HostRequests {
  /** Requests for URLs and robots.txt. */
  sent: number
  /** Requests of rendered pages. */
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
  /** If a host is reported twice, the report with the later `nextAt` is recorded. */
  hosts: HostReport[]
  /** Number of links that were not admitted, by reason. */
  rejected: Record<string, number>
  samples: RejectedLinkSample[]
  /** Requests by host. Recorded even if the commit is late. */
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
  /** Number of reports whose lease was no longer active. If it is not 0, the whole batch was rejected. */
  late: number
  added: number
}

/** The calls that crawl threads may make. */
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
