// What a crawl thread reports to the frontier: the outcomes of visits, and the URLs found.

import type { TerminalState } from '../lib/states.ts'
import type { Validators } from './leases.ts'
import type { PageReport } from './pages.ts'
import type { RenderReport } from './render-patterns.ts'

/** A longer chain of redirects is not followed. Its last URL gets the reason `too_many_redirects`. */
export const MAX_REDIRECTS = 10

/** Hops of a requisite count redirects since the last import, and each import of a style sheet as this many. */
export const HOPS_PER_IMPORT = 16

export function hasTooManyRedirects(hops: number): boolean {
  return hops % HOPS_PER_IMPORT > MAX_REDIRECTS
}

/** The reason of every URL in a redirect loop, no matter which workers followed it and in which order. */
export const REDIRECT_LOOP = 'redirect_loop'

/**
 * How a URL is read: as a page with links, as a sitemap, or as a requisite, which is part of a page (an image, a style
 * sheet, a font, a script) and is archived without being read. A URL has one kind: a requisite that a page links to
 * becomes a page, and a URL that is named as a sitemap becomes one.
 */
export const URL_KINDS = ['page', 'sitemap', 'requisite'] as const

export type UrlKind = (typeof URL_KINDS)[number]

/** What a sitemap says about a URL. */
export interface SitemapListing {
  lastmod: number | null
  changefreq: string | null
  /** 0 to 1, relative to the other URLs of the site. */
  priority: number | null
}

/** Sources that can announce a change of a URL. */
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
  /** The link was found in a meta refresh, which counts as a redirect. */
  isRefresh: boolean
  listing: FoundListing | null
  /** Set if only a script of the page names the URL. */
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
  /** Time from the end of the response until it was processed. */
  processingMs: number | null
  ip: string | null
  /** The CNAME chain of the host, in order, separated by spaces. */
  cname: string | null
  /** Scheme, host and port of the proxy that it went through; null for a direct visit. */
  proxy: string | null
  visitedAt: number
}

/** What a recrawled crawl needs to plan the next visit. */
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
  /** Null if the outcome was decided without a request, so that no visit is recorded. */
  facts: VisitFacts | null
  /** The archived response; null if nothing was archived. */
  page: PageReport | null
  /**
   * URLs that this thread has not reported before at this depth or a lower one. All links if they are beyond the depth
   * or redirect limit, which does not apply to requisites.
   */
  found: FoundUrl[]
  /** Null if the page has no new links, or trap detection is off. */
  traps: TrapFindings | null
  /** Number of link keys in the batch that belong to this visit. */
  linkCount: number
  /** Null if the crawl does not visit URLs again, or nothing was received. */
  freshness: FreshnessReport | null
  /** Set with `--render auto` if the page or its pattern may have to be rendered. */
  render?: RenderReport
}

export interface TrapFindings {
  /** Inherited by the URLs found in the page. */
  skeletons: readonly number[]
  /**
   * Links that enter the ledger only when nothing else is left and their pattern is admitted (see ports/patterns.ts).
   */
  held: { pattern: string; found: FoundUrl[] } | null
  /** The page leads deeper into its folder, by links that were rejected for their shape. */
  hasEndlessPaths: boolean
  /**
   * Hashes of the lines of a page that holds links or is on trial. A trial is judged by how many are new to its
   * pattern.
   */
  lineHashes: readonly number[]
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
