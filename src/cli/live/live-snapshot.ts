// What a view is told about a crawl, several times a second. Strings in it come from the web and are not trusted.

import type { HostWait } from '../../engine/crawl/hosts/host-waits.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import type { CrawlStatus, Ledger } from '../../ports/state.ts'

export interface HostSnapshot {
  host: string
  requests: number
  /** Mean response time, 0 when unknown. */
  responseMs: number
}

export interface LiveSnapshot {
  crawlId: string
  rootUrl: string
  status: CrawlStatus
  reason: string | null
  ledger: Ledger
  /** How many of the visited urls were sitemaps. */
  sitemaps: number
  bytes: number
  /** Links that were not admitted, by reason. */
  rejected: Record<string, number>
  maxPages: number | null
  elapsedMs: number
  /** Of the last seconds, not of the whole crawl. */
  pagesPerSecond: number
  inFlight: number
  /** The hosts worth naming, in any order. */
  hosts: HostSnapshot[]
  /** What hosts wait for. */
  waits: HostWait[]
  /** Why the whole crawl waits. */
  held: HoldReason | null
  /** Ctrl-C was pressed once. */
  draining: boolean
}

/** A view shows snapshots until it is closed; the terminal and the plain log are two of them. */
export interface View {
  draw(snapshot: LiveSnapshot): void
  close(finalLines: readonly string[]): void
}
