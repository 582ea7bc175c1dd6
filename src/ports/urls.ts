// Urls as a reader sees them: streamed for exports, recounted for verify.

import type { SitemapListing, UrlKind } from './frontier.ts'
import type { UrlState } from './state.ts'

export interface UrlRow {
  id: number
  url: string
  state: UrlState
  reason: string | null
  depth: number
  priority: number
  httpStatus: number | null
  contentType: string | null
  contentLength: number | null
  contentHash: string | null
  title: string | null
  /** Id of the url this one was first reached from, at its present depth. */
  discoveredFrom: number | null
  redirectTo: string | null
  attempts: number
  fetchMs: number | null
  ip: string | null
  firstSeenAt: number
  visitedAt: number | null
  /** The thread of a worker that has it in flight; null on SQLite, where no row is in progress. */
  leasedBy: string | null
  kind: UrlKind
  canonical: string | null
  noindex: boolean
  cname: string | null
  /** What sitemaps say of it, if any lists it. */
  listing: SitemapListing
}

export interface Edge {
  from: number
  to: number
}

/** One broken promise found by an audit, in a sentence. */
export interface AuditFinding {
  rule: string
  detail: string
}

export interface Urls {
  /** Rows of a crawl in id order, all or those behind an id, without holding them in memory. */
  rows(crawlId: string, after?: number): AsyncIterable<UrlRow>
  edges(crawlId: string): AsyncIterable<Edge>
  /** Recounts the ledger and checks every structural rule; an empty list is a clean bill. */
  audit(crawlId: string): Promise<AuditFinding[]>
}
