// Browsing what a crawl has found, in responses small enough to send. Safe beside a running crawl: takes no lock that a
// commit waits for, and reads a bounded part of the crawl unless stated otherwise.

import type { UrlState } from '../lib/states.ts'
import type { UrlRow } from './urls.ts'
import type { FoundUrl } from './visits.ts'

export const URL_ORDERS = ['found', 'url', 'depth', 'status', 'time', 'size', 'visited'] as const
export type UrlOrder = (typeof URL_ORDERS)[number]

/** Conditions on URLs. A null field allows any value. */
export interface UrlFilter {
  /** On SQLite no row is `in_progress`: URLs in flight are still queued there. */
  states: UrlState[] | null
  reason: string | null
  host: string | null
  depth: number | null
  /** A status, or its first digit: 4 means 400 to 499. */
  httpStatus: number | null
  /** Prefix of the content type. */
  contentType: string | null
  /** Part of the URL or title, case-insensitive. */
  text: string | null
}

export interface UrlQuery extends UrlFilter {
  order: UrlOrder
  isDescending: boolean
  limit: number
  /** Cursor from the previous list; BAD_CURSOR if it belongs to another query. */
  cursor: string | null
}

export interface UrlList {
  rows: UrlRow[]
  /**
   * Null at the end of the list. Each call examines a bounded number of rows, so a list with a selective filter may
   * be short or empty and still have a cursor.
   */
  nextCursor: string | null
  /** Known only without a filter other than states. */
  total: number | null
}

/** How many URLs a filter matches in each state. */
export interface UrlCounts {
  states: Partial<Record<UrlState, number>>
  /** False if the crawl is so large that only a part of it was counted. */
  isComplete: boolean
}

export interface UrlSummary {
  id: number
  url: string
  state: UrlState
  title: string | null
}

export interface VisitRow {
  attempt: number
  /** A terminal state, or `retry`. */
  state: string
  reason: string | null
  httpStatus: number | null
  contentType: string | null
  contentLength: number | null
  fetchMs: number | null
  processingMs: number | null
  /** The crawl thread or external crawler that made it. */
  visitedBy: string | null
  visitedAt: number
  ip: string | null
  /** URL of the proxy without user and password; null for a direct request. */
  proxy: string | null
  redirectTo: string | null
}

export interface UrlDetails {
  row: UrlRow
  visits: VisitRow[]
  /** The path from a seed to this URL, at most the last hundred steps. */
  lineage: UrlSummary[]
  /**
   * Pages that link here, searched among the URLs discovered first, at most a hundred. `total` is null if there are
   * more URLs to search. Links of a page to itself do not count, here and below.
   */
  inlinks: { items: UrlSummary[]; total: number | null }
  outlinks: { items: UrlSummary[]; total: number | null }
  /** The planned next visit; null if the crawl does not visit the URL again. */
  revisit: PlannedRevisit | null
}

export interface Bucket {
  key: string
  count: number
}

export interface HostFigures {
  host: string
  urls: number
  /** Queued URLs, including URLs in progress. */
  queued: number
  visited: number
  /** Forbidden, not found, failed or HTTP error. */
  failed: number
  excluded: number
  bytes: number
  meanFetchMs: number | null
}

/** Statistics over all URLs and their last visits. Reads every row. */
export interface CrawlStats {
  asOf: number
  statusCodes: Bucket[]
  /** The 30 most common content types, without parameters. */
  contentTypes: Bucket[]
  /** The 100 most common. */
  reasons: Bucket[]
  depths: { depth: number; count: number }[]
  /** The 50 with the most URLs. */
  hosts: HostFigures[]
  hostCount: number
  /**
   * Histogram: upper bounds in ms, the last one null, and the number of visits between the previous bound and this
   * one.
   */
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
  /** Only this URL and its neighbours. */
  around: number | null
  /**
   * Only URLs within a group, given by its label: `a.test/docs` is a folder with everything below it, `a.test/docs/`
   * the URLs directly in it.
   */
  under: string | null
  /** Version of an earlier graph: return only new and changed nodes. Requires group `url` and by `found`. */
  since: string | null
  /** Labels of groups to open: their subfolders or URLs are returned instead of them. Requires group `path`. */
  open: readonly string[]
  maxEdges: number
}

export interface GraphNode {
  id: string
  label: string
  urlId: number | null
  host: string
  state: UrlState | null
  /** Number of URLs of a group by state; null for a URL. */
  states: Partial<Record<UrlState, number>> | null
  /** Excluded URLs that the crawl did not get to before it ended. */
  leftOut: number
  depth: number
  urls: number
  inlinks: number
  /** 0 to 1: its share of the links among all examined URLs. */
  rank: number
  parent: string | null
}

export interface CrawlGraph {
  group: 'url' | 'path' | 'host'
  version: string
  nodes: GraphNode[]
  /**
   * Links between different nodes. If there are more than `maxEdges`: in a graph of groups the edges with the most
   * links, in a graph of URLs the edges between the best linked URLs.
   */
  edges: GraphEdges
  totalNodes: number
  /** Edges among the returned nodes; with `since`, among all examined nodes. */
  totalEdges: number
  isComplete: boolean
}

/** Columns with one entry per edge. Thousands of objects would cost more to copy between threads than to find. */
export interface GraphEdges {
  /** Ids of nodes; `from` and `to` are positions in it. */
  ids: string[]
  from: Uint32Array
  to: Uint32Array
  links: Uint32Array
}

export function listEdges({ ids, from, to, links }: GraphEdges): { from: string; to: string; links: number }[] {
  const idAt = (place: number | undefined) => ids[place ?? 0] ?? ''
  return Array.from(from, (start, i) => ({ from: idAt(start), to: idAt(to[i]), links: links[i] ?? 0 }))
}

/** The URLs of a folder by their last visit. */
export interface FolderFigures {
  label: string
  name: string
  urls: number
  bytes: number
  meanFetchMs: number | null
  states: Partial<Record<UrlState, number>>
  /** Excluded URLs that the crawl did not get to before it ended. */
  leftOut: number
  /** Number of subfolders. */
  folders: number
}

export interface FolderRequest {
  /** Label of a folder; null: the hosts. */
  under: string | null
  /** Maximum of folders and URLs in the result. */
  limit: number
}

export interface SubfolderFigures extends FolderFigures {
  /** Subfolders and their subfolders, except for very small ones. */
  children: (FolderFigures & { children: FolderFigures[] })[]
}

export interface FolderContents {
  /** Null for the top level. */
  label: string | null
  urls: number
  bytes: number
  /** Sorted by number of URLs, largest first. */
  folders: SubfolderFigures[]
  totalFolders: number
  /** The URLs directly in the folder, largest first. */
  ownUrls: { id: number; url: string; state: UrlState; leftOut: number; bytes: number; fetchMs: number | null }[]
  totalOwnUrls: number
  /** False if the crawl is so large that only the URLs discovered first were counted. */
  isComplete: boolean
}

/** The next visit of a URL in a recrawled crawl. */
export interface PlannedRevisit {
  /** When the next visit is due; null while the URL is queued. */
  dueAt: number | null
  /** Importance from depth, priority and link rank; 1 is average. Used only with a budget. */
  importance: number
  /** Null if unknown. */
  linkRank: number | null
}

export interface UrlProblem {
  id: number
  url: string
  state: UrlState
  reason: string | null
  httpStatus: number | null
  attempts: number
  visitedAt: number | null
  /** The crawl thread or external crawler that made the last visit. */
  visitedBy: string | null
}

export interface Browse {
  urls(crawlId: string, query: UrlQuery): Promise<UrlList>
  /** Reads every row of the crawl, up to some hundred thousand. */
  countUrls(crawlId: string, filter: Omit<UrlFilter, 'states'>): Promise<UrlCounts>
  /** Null if the crawl has no URL with this id. */
  urlDetails(crawlId: string, urlId: number): Promise<UrlDetails | null>
  /** Finds a URL by its canonical form and its key in the crawl. Null if the crawl does not know it. */
  findUrl(crawlId: string, url: Pick<FoundUrl, 'url' | 'key'>): Promise<number | null>
  /** Targets of the redirecting URLs among these, one hop on, by URL. */
  redirectTargets(crawlId: string, urls: readonly Pick<FoundUrl, 'url' | 'key'>[]): Promise<Map<string, string>>
  /** Number of links from each of these URLs to URLs of the crawl, by id. */
  linkCounts(crawlId: string, urlIds: readonly number[]): Promise<Map<number, number>>
  /** Queued URLs that were visited before; on SQLite, also those in flight. Reads the whole queue. */
  requeuedCount(crawlId: string): Promise<number>
  stats(crawlId: string): Promise<CrawlStats>
  /** Hosts, those with the most URLs first. Reads every row, unless that was done a moment ago. */
  hosts(
    crawlId: string,
    query: { text: string | null; limit: number; cursor: string | null },
  ): Promise<{
    hosts: HostSummary[]
    nextCursor: string | null
  }>
  /** One host by name, without reading every row. Null if no crawl of the store knows it. */
  host(crawlId: string, host: string): Promise<HostStatus | null>
  /** One level of the site by path, with the level below it. Null if the crawl has no such folder. */
  folders(crawlId: string, request: FolderRequest): Promise<FolderContents | null>
  /** Groups and ranks of a large crawl are computed from the URLs discovered first; the graph is then not complete. */
  graph(crawlId: string, request: GraphRequest): Promise<CrawlGraph>
  /** URLs that count as `failed` (see HostFigures), newest first, and their number by reason. */
  problems(crawlId: string, limit: number): Promise<{ counts: (Bucket & { state: UrlState })[]; rows: UrlProblem[] }>
  /** Drops cached values. */
  freeMemory(): Promise<void>
}
