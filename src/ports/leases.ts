// What a crawl thread gets from the frontier: leases on hosts, with the URLs to visit and the pace of the host.

import type { RequestRate } from '../config/policies/host-settings.ts'
import type { CrawlStatus, TerminalState } from '../lib/states.ts'
import type { PatternReport } from './patterns.ts'
import type { UrlKind } from './visits.ts'

export interface LeaseRequest {
  crawlId: string
  /** Worker id with a number, such as w2f9-0. */
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

export interface LeasedUrl {
  id: number
  url: string
  kind: UrlKind
  depth: number
  /** Redirects since the last link. */
  hops: number
  /** Earlier visits since it was queued. */
  attempts: number
  /** When the URL was discovered, or when its retry or revisit was due (ms since 1970). */
  dueAt: number
  /** Null if the parent is on another host, or has no ancestry. */
  ancestry: Ancestry | null
  /** Null if the URL was not visited before, if its last visit failed, or if what was archived then is gone. */
  lastVisit: LastVisit | null
}

/** Findings of the last visit of a URL, so that the next one can tell whether it has changed. */
export interface LastVisit {
  state: TerminalState
  /** See `observedHash` in ports/revisits.ts. */
  observedHash: string | null
  reason: string | null
  /** Validators to send with the request; null if the response must contain the content. */
  validators: Validators | null
}

/** Validators of a response. */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

/** Data that a URL inherits from its parent (see engine/traps/trap-detector.ts). */
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
  nextAt: number
  /** Mean response time of the host as last reported; 0 if it has never responded. */
  responseMs: number
  /** The gap as last reported; 0 if none was. */
  gapMs: number
  /** Concurrent requests that the host accepts, learned from its refusals; 0 if no limit is known. */
  concurrencyLimit: number
  health: HostHealth
  /** Null if no policy applies and the settings of the crawl are used. */
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
  /** When the first of these failures occurred; 0 while the host responds. */
  failingSince: number
  /** The host is down until this time: its URLs end without a request. */
  downUntil: number
  /** Share of recent responses that were refusals or errors, 0 to 1. */
  failureShare: number
  /** Time since which every response has been a refusal; 0 while the host serves pages. */
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
  /** All URL patterns whose pages are to be rendered. Omitted if the thread has as many already. */
  renderPatterns?: string[]
  /** Version of the host policies. Hosts leased before a change have to be released. */
  policiesVersion: number
  /** Counts the notifications of new work. Pass it to `waitForWork`. */
  wakeCount: number
}
