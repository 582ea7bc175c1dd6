// How a crawl behaved and what it left out, for its owner to look at: read from what the visits recorded.

import type { RejectedLinkExample } from './crawls.ts'
import type { PatternRow } from './patterns.ts'
import type { RobotsCopy } from './robots.ts'
import type { UrlState } from './state.ts'

export interface HostMeasurements {
  host: string
  requests: number
  /** Between the starts of two requests; null when there was but one. */
  smallestGapMs: number | null
  /** Requests under way at a time, at most. */
  peak: number
  /** The gap last kept. */
  gapMs: number
  /** Requests at a time that it takes, as learnt from its refusals; null: no limit is known. */
  concurrencyLimit: number | null
  /** Urls left out because of robots.txt. */
  denied: number
}

/** The limit of a host if it is lower than what a crawl may ask for at a time. */
export function concurrencyLimitBelow(perHost: number, { concurrencyLimit }: HostMeasurements): number | null {
  return concurrencyLimit !== null && concurrencyLimit < perHost ? concurrencyLimit : null
}

export interface HostPoliteness extends HostMeasurements {
  /** The rules of its origins, with http or https. */
  robots: RobotsCopy[]
}

/** A sitemap that could not be had or read. */
export interface BrokenSitemap {
  url: string
  state: UrlState
  reason: string | null
}

export interface Diagnostics {
  politeness(crawlId: string): AsyncIterable<HostPoliteness>
  /** The same of these hosts, in one pass over the crawl; hosts that it has not met are left out. */
  measureHosts(crawlId: string, hosts: readonly string[]): Promise<HostMeasurements[]>
  patterns(crawlId: string): Promise<PatternRow[]>
  rejectedExamples(crawlId: string): Promise<RejectedLinkExample[]>
  /** A few of the sitemaps that robots.txt, others or the user named in vain. Reads every row: for the end of a crawl. */
  brokenSitemaps(crawlId: string): Promise<BrokenSitemap[]>
}
