// Looking at what a crawl has found, in answers small enough to be sent. Reads beside a crawl at work: it takes no lock
// that a commit waits for, and no answer costs more than a bounded part of the crawl, but for those that say so.

import type { FoundUrl } from './frontier.ts'
import type { UrlState } from './state.ts'
import type { UrlRow } from './urls.ts'

export const URL_ORDERS = ['found', 'url', 'depth', 'status', 'time', 'size', 'visited'] as const
export type UrlOrder = (typeof URL_ORDERS)[number]

/** Null: any. */
export interface UrlFilter {
  /** On SQLite no row is in progress: what is in flight is still queued there. */
  states: UrlState[] | null
  reason: string | null
  host: string | null
  depth: number | null
  /** A status, or the first digit of one: 4 means 400 to 499. */
  httpStatus: number | null
  /** Beginning of the content type. */
  contentType: string | null
  /** Part of the url or title, in any case. */
  text: string | null
}

export interface UrlQuery extends UrlFilter {
  order: UrlOrder
  isDescending: boolean
  limit: number
  /** From the answer before; BAD_CURSOR when it is not of this query. */
  cursor: string | null
}

export interface UrlList {
  rows: UrlRow[]
  /**
   * Null: there is no more. A filter that few rows pass is looked for in so many rows at a time, so a list may be short,
   * or empty, and yet have a cursor.
   */
  nextCursor: string | null
  /** When counters tell it: with no filter but that of states. */
  total: number | null
}

export interface UrlSummary {
  id: number
  url: string
  state: UrlState
  title: string | null
}

export interface VisitRow {
  attempt: number
  /** A terminal state, or retry. */
  state: string
  reason: string | null
  httpStatus: number | null
  contentType: string | null
  contentLength: number | null
  fetchMs: number | null
  visitedAt: number
  ip: string | null
  redirectTo: string | null
}

export interface UrlDetails {
  row: UrlRow
  visits: VisitRow[]
  /** From a start url to this one, itself last; the last hundred steps. */
  lineage: UrlSummary[]
  /**
   * Pages that link here, looked for in the urls that were found first; total is null when there were more to look at. At
   * most a hundred are named. A page that links to itself does not count, here and below.
   */
  inlinks: { items: UrlSummary[]; total: number | null }
  outlinks: { items: UrlSummary[]; total: number | null }
}

export interface Bucket {
  key: string
  count: number
}

export interface HostFigures {
  host: string
  urls: number
  /** And in progress. */
  queued: number
  visited: number
  /** Forbidden, not found, failed or answered with an error. */
  failed: number
  excluded: number
  bytes: number
  meanFetchMs: number | null
}

/** Of all urls and of the last visit of each. Reads every row. */
export interface CrawlStats {
  asOf: number
  statusCodes: Bucket[]
  /** Without parameters; the commonest thirty. */
  contentTypes: Bucket[]
  /** The commonest hundred. */
  reasons: Bucket[]
  depths: { depth: number; count: number }[]
  /** The fifty with the most urls. */
  hosts: HostFigures[]
  hostCount: number
  /** Bounds in ms, the last one null, with how many visits took at most so long and longer than the one before. */
  fetchTimes: { upTo: number | null; count: number }[]
  fetchMs: { p50: number; p90: number; p99: number; max: number }
  contentLength: { p50: number; p90: number; p99: number; max: number; total: number }
}

/** How a host is treated at present. */
export interface HostStatus {
  gapMs: number
  strikes: number
  nextAt: number | null
  isBlocked: boolean
  robots: { origin: string; askedAt: number; status: number | null; problem: string | null }[]
}

export interface HostSummary extends HostFigures, HostStatus {}

export interface GraphRequest {
  limit: number
  group: 'url' | 'path' | 'host'
  by: 'found' | 'rank'
  /** Only this url and those it links with. */
  around: number | null
  /** Only urls that lie in a group of an answer by path or host, by its label. The way down into a group. */
  under: string | null
  /** The version of an earlier answer: only what is new or has changed since. With group url and by found alone. */
  since: string | null
  /** At most so many edges. */
  maxEdges: number
}

export interface GraphNode {
  id: string
  label: string
  urlId: number | null
  host: string
  state: UrlState | null
  /** Of a group: how many of its urls are in which state; null of a url. */
  states: Partial<Record<UrlState, number>> | null
  depth: number
  urls: number
  inlinks: number
  /** 0 to 1: its part of the links among all that were looked at. */
  rank: number
  parent: string | null
}

/**
 * A link within a node is no edge. When there are more edges than wanted, those with the most links are told, and of
 * urls those between the best linked.
 */
/** Others look at no more urls than they show. */
export function readsWholeCrawl({ around, group, by, under }: GraphRequest): boolean {
  return around === null && (group !== 'url' || by === 'rank' || under !== null)
}

export interface CrawlGraph {
  group: 'url' | 'path' | 'host'
  version: string
  nodes: GraphNode[]
  edges: { from: string; to: string; links: number }[]
  totalNodes: number
  /** Among the nodes of the answer, or, since a version, of all that were looked at. */
  totalEdges: number
  isComplete: boolean
}

export interface UrlProblem {
  id: number
  url: string
  state: UrlState
  reason: string | null
  httpStatus: number | null
  attempts: number
  visitedAt: number | null
}

export interface Browse {
  urls(crawlId: string, query: UrlQuery): Promise<UrlList>
  /** Null when the crawl has no url with this id. */
  urlDetails(crawlId: string, urlId: number): Promise<UrlDetails | null>
  /** By its canonical spelling and the key this has with the secret of the crawl; null when the crawl does not know it. */
  findUrl(crawlId: string, url: Pick<FoundUrl, 'url' | 'key'>): Promise<number | null>
  stats(crawlId: string): Promise<CrawlStats>
  /** Those with the most urls first. Reads every row, unless that was done a moment ago. */
  hosts(
    crawlId: string,
    query: { text: string | null; limit: number; cursor: string | null },
  ): Promise<{
    hosts: HostSummary[]
    nextCursor: string | null
  }>
  /** Of one host, by its name: at once, unlike the list. Null when no crawl of the store has met it. */
  host(crawlId: string, host: string): Promise<HostStatus | null>
  /** Groups and ranks are made from the urls found first, when a crawl is large: then it is not complete. */
  graph(crawlId: string, request: GraphRequest): Promise<CrawlGraph>
  /** Urls that ended badly, as for `failed` of hosts, newest first, and how many there are of each kind. */
  problems(crawlId: string, limit: number): Promise<{ counts: (Bucket & { state: UrlState })[]; rows: UrlProblem[] }>
}
