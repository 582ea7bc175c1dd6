// The state of a crawl as views get it, several times a second. Its strings come from the web and are untrusted.

import type { HostWait } from '../../engine/crawl/hosts/host-waits.ts'
import type { CrawlStatus, Ledger } from '../../lib/states.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'

export interface HostSnapshot {
  host: string
  requests: number
  /** Mean response time; 0 if unknown. */
  responseMs: number
}

export interface CrawlSnapshot {
  crawlId: string
  rootUrl: string
  status: CrawlStatus
  reason: string | null
  ledger: Ledger
  /** Number of visited URLs that are sitemaps. */
  sitemaps: number
  /** Number of visited URLs that are requisites of pages. */
  requisites: number
  bytes: number
  /** Links that were not admitted, by reason. */
  rejected: Record<string, number>
  maxPages: number | null
  /** The crawl follows no links. */
  sitemapOnly: boolean
  elapsedMs: number
  /** Rate over the last seconds, not over the whole crawl. */
  pagesPerSecond: number
  inFlight: number
  /** The busiest and slowest hosts, in any order. */
  hosts: HostSnapshot[]
  /** Why hosts are waiting. */
  waits: HostWait[]
  /** Why the whole crawl is on hold. */
  held: HoldReason | null
  /** Ctrl-C was pressed once. */
  draining: boolean
  /** Time until the next URL is due again; null if none is planned. */
  nextVisitInMs: number | null
  /** Another process runs the crawl, so that it continues without this one. */
  runsElsewhere: boolean
}

/** Shows snapshots until it is closed. Implemented by the live view and the plain view. */
export interface View {
  draw(snapshot: CrawlSnapshot): void
  close(finalLines: readonly string[]): void
}
