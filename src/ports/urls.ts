// URLs as a reader sees them: streamed for exports, checked by `verify`.

import type { UrlState } from '../lib/states.ts'
import type { SitemapListing, UrlKind } from './visits.ts'

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
  /** Id of the parent on the shortest path. */
  discoveredFrom: number | null
  redirectTo: string | null
  attempts: number
  fetchMs: number | null
  /** Time from the end of the response until it was processed. */
  processingMs: number | null
  /** The crawl thread or external crawler that made the last visit. */
  visitedBy: string | null
  ip: string | null
  firstSeenAt: number
  visitedAt: number | null
  /** The crawl thread that has it in flight; null on SQLite, where no row is in progress. */
  leasedBy: string | null
  kind: UrlKind
  canonical: string | null
  noindex: boolean
  cname: string | null
  /** The proxy of the last visit, without user and password; null if it was direct. */
  proxy: string | null
  /** What sitemaps say about the URL, if any lists it. */
  listing: SitemapListing
  /** The URL is named only by scripts; no page links to it. */
  isFromScript: boolean
}

export interface Edge {
  from: number
  to: number
}

/** One broken invariant found by `verify`. */
export interface FailedCheck {
  rule: string
  detail: string
}

export interface Urls {
  /** Rows of a crawl by id, starting after an id if given, streamed. */
  rows(crawlId: string, after?: number): AsyncIterable<UrlRow>
  edges(crawlId: string): AsyncIterable<Edge>
  /** The URLs of rows by their ids. */
  urlsOf(crawlId: string, ids: readonly number[]): Promise<Map<number, string>>
  /** Recounts the ledger and checks every invariant. An empty list means that all is well. */
  verify(crawlId: string): Promise<FailedCheck[]>
}
