// How a crawl treated hosts and what it rejected, for its owner. Requests are counted as they are made; times come
// from recorded visits.

import type { UrlState } from '../lib/states.ts'
import type { RejectedLinkExample } from './crawls.ts'
import type { PatternRow } from './patterns.ts'
import type { RobotsCopy } from './robots.ts'

export interface HostMeasurements {
  host: string
  /** Requests for URLs and robots.txt, including retries, revisits and every redirect. */
  requests: number
  /** Requests made by rendered pages; not in `requests`. */
  subrequests: number
  /** Smallest gap between the starts of two recorded visits; null if there was only one. */
  smallestGapMs: number | null
  /** Maximum of recorded visits in flight at a time. */
  peak: number
  /** The gap last used. */
  gapMs: number
  /** Concurrent requests that the host accepts, learned from its refusals; null if no limit is known. */
  concurrencyLimit: number | null
  /** URLs excluded by robots.txt. */
  denied: number
}

/** The concurrency limit of a host if it is below the limit of the crawl. */
export function concurrencyLimitBelow(perHost: number, { concurrencyLimit }: HostMeasurements): number | null {
  return concurrencyLimit !== null && concurrencyLimit < perHost ? concurrencyLimit : null
}

export interface HostPoliteness extends HostMeasurements {
  /** The robots.txt of its http and https origins. */
  robots: RobotsCopy[]
}

/** A sitemap that could not be fetched or read. */
export interface BrokenSitemap {
  url: string
  state: UrlState
  reason: string | null
}

export interface Diagnostics {
  politeness(crawlId: string): AsyncIterable<HostPoliteness>
  /** Measurements of several hosts, in one pass over the crawl. Hosts unknown to the crawl are left out. */
  measureHosts(crawlId: string, hosts: readonly string[]): Promise<HostMeasurements[]>
  patterns(crawlId: string): Promise<PatternRow[]>
  rejectedExamples(crawlId: string): Promise<RejectedLinkExample[]>
  /** Some of the sitemaps that were named but could not be read. Reads every row: meant for the end of a crawl. */
  brokenSitemaps(crawlId: string): Promise<BrokenSitemap[]>
}
