// The side of the text index that is filled with archived pages; search.ts has the side that is queried.

import type { Crawl } from './crawls.ts'
import type { PageToIndex, PageVersion } from './pages.ts'
import type { IndexDocument, LinkRank } from './search.ts'

export interface AnchorText {
  /** The target of the link. */
  url: string
  text: string
}

/** A document, or a page that must not be found: every document of its URL up to this version is deleted. */
export type PageResult = { document: IndexDocument } | { leftOut: { url: string; version: number } }

export interface IndexedPage extends Pick<IndexDocument, 'pageId' | 'version' | 'lines'> {
  /** The language that the page says, counted towards the main language of its host; null if it says none. */
  ownLang: string | null
  /** Null if the page was indexed before this was recorded. */
  repeated: number[] | null
}

/** A page with what other pages contribute to its document. */
export interface FeedPage extends PageToIndex {
  /** Distinct texts of links to its URL, sorted: the first MAX_ANCHORS by the page that contains them. */
  anchors: string[]
  linkRank: number
  inlinks: number
  /** The indexed document of its URL; null if there is none. */
  previous: IndexedPage | null
  /** The page's anchors are not saved yet: report them with its document. */
  hasUnreadLinks: boolean
}

export const MAX_ANCHORS = 12

export interface FeedBatch {
  /** Identifies the batch in `finish`. */
  token: string
  /** Changes when the index is cleared. After a change, the anchors of all pages have to be reported again. */
  epoch: number
  pages: FeedPage[]
  /** For each host of the pages: the number of documents that contain a line, and that are in a language. */
  hosts: ReadonlyMap<string, { lines: ReadonlyMap<number, number>; languages: ReadonlyMap<string, number> }>
}

/** Pages whose links have to be read before they are indexed. */
export interface LinkBatch {
  /** Identifies the batch in `saveAnchors`. */
  token: string
  /** See FeedBatch. */
  epoch: number
  pages: PageVersion[]
}

export interface TakeOptions {
  /** Pages visited later wait, since links to them may still be found. */
  visitedUpTo?: number
  /** False: no page is handed out again. */
  reindexes?: boolean
}

/**
 * Pages of the batch that are not in the outcome could not be read now. A store of several processes hands them out
 * again.
 */
export interface FeedOutcome {
  /** Results in the order of the batch. */
  pages: PageResult[]
  anchors: AnchorText[]
}

/**
 * The side that fills the index. Every archived page is handed out, oldest first, and is done only with `finish`, in
 * one transaction with its document: a process that dies in between loses nothing, and nothing is indexed twice. With
 * several indexing processes each page is in one batch at a time. A page is handed out again when no new one waits and
 * its URL has new anchors, or if it leaves its language open and the main language of its host is another now. To avoid
 * the former, links are read first: `takeUnreadLinks` until it returns null, then `take`.
 */
export interface IndexFeed {
  /** Waiting pages whose links are not read yet, oldest first. Null if there are none. */
  takeUnreadLinks(limit: number): Promise<LinkBatch | null>
  /** `unread`: ids of pages that could not be read now. Their anchors are reported with their documents. */
  saveAnchors(token: string, anchors: AnchorText[], unread?: number[]): Promise<void>
  /** At most `limit` pages, fewer if they are large. Null if nothing waits. */
  take(limit: number, options?: TakeOptions): Promise<FeedBatch | null>
  /** Writes the next pages of the batch, so that they need not stay in memory. They count only with `finish`. */
  add(token: string, pages: PageResult[]): Promise<void>
  /** Writes the remaining pages and ends the batch. */
  finish(token: string, outcome: FeedOutcome): Promise<void>
  /**
   * Examines the next `limit` documents: drops those whose pages are gone, and updates when the others expire. If an
   * earlier version of a dropped URL is left, it is handed out again.
   */
  followRetention(limit: number): Promise<{ examined: number; dropped: number }>
  /** Ranks of URLs that are not indexed yet take effect when they are. */
  saveRanks(crawl: Pick<Crawl, 'id' | 'createdAt'>, ranks: LinkRank[]): Promise<void>
  /** The number of visited URLs when the links of the crawl were last ranked; 0 if they never were. */
  visitedWhenRanked(crawlId: string): Promise<number>
  recordRanking(crawlId: string, visited: number): Promise<void>
  /** Deletes the ranks of all other crawls. Documents that no crawl ranks any more keep theirs. */
  deleteOtherRanks(crawlIds: string[]): Promise<void>
  lag(): Promise<{ waiting: number; lagMs: number }>
  /**
   * A bounded step of merging the terms written lately into the main structure of the index, which makes searches faster.
   * Call while no page is waiting. Returns whether there is more to do.
   */
  mergeTerms(): Promise<boolean>
  /** Empties the index. Every page is handed out again. */
  clear(): Promise<void>
  /**
   * Like `clear`, but an index that supports it keeps its documents for searches until every page is indexed again.
   */
  startRebuild(): Promise<void>
}
