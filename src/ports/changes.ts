// What changed on the URLs of recrawled crawls. A change is recorded in the commit of the visit that found it. A
// follower examines it later (src/changes) and publishes it, or drops it if nothing but noise has changed.

import { CHANGE_KINDS, type ChangeKind } from '../config/values/change-kinds.ts'
import type { CrawlSettings } from './crawls.ts'
import type { VisitFacts } from './visits.ts'

export { CHANGE_KINDS, type ChangeKind }

/** Facts whose change on a visit is recorded. */
export const CHANGE_FACTS = ['title', 'httpStatus', 'redirectTo', 'canonical', 'noindex'] as const
export type ChangeFacts = Pick<VisitFacts, (typeof CHANGE_FACTS)[number]>

/** The facts that differ. */
export type FactChanges = { [K in keyof ChangeFacts]?: { before: ChangeFacts[K]; after: ChangeFacts[K] } }

export interface RecordedChange {
  id: number
  crawlId: string
  urlId: number
  url: string
  kind: ChangeKind
  /** The time of the visit. */
  at: number
  /** The new version; null if none was archived. */
  pageId: number | null
  /** The last version before it that was a page. */
  previousPageId: number | null
  facts: FactChanges
  /** The visit before found a change too; null if it was the first. */
  isRepeated: boolean | null
}

/** A change that has not been examined yet. */
export interface PendingChange extends RecordedChange {
  hostId: number
  /** Earlier attempts. */
  tries: number
  /** What the follower knows about noise on the host; null if nothing yet. */
  noise: string | null
  settings: CrawlSettings
}

export interface ChangeSummary {
  /** Null if the text could not be compared. */
  wordsAdded: number | null
  wordsRemoved: number | null
  summary: string
}

export interface PublishedChange extends RecordedChange, ChangeSummary {
  /** Title of the current page, or of the removed page; null if unknown. */
  title: string | null
  /** Position in the public order. Later changes have higher cursors, whatever process publishes them. */
  cursor: number
  publishedAt: number
}

export type ExaminedChange =
  | ({ id: number; outcome: 'published' } & ChangeSummary)
  /** Nothing but noise has changed. */
  | { id: number; outcome: 'dropped' }
  /** The bytes of a version are unavailable now. */
  | { id: number; outcome: 'deferred'; untilMs: number }

/** Saved unless another process has saved something since `before` was read. */
export interface NoiseUpdate {
  crawlId: string
  hostId: number
  before: string | null
  after: string
}

export interface ChangeFeed {
  /** Claims changes for `claimMs`, oldest first, so that no other process examines them in the meantime. */
  claim(limit: number, claimMs: number): Promise<PendingChange[]>
  /** Skips changes that another process has examined in the meantime. Returns how many were published. */
  finish(examined: ExaminedChange[], noise: NoiseUpdate[]): Promise<number>
}

export interface ChangeQuery {
  crawlId: string | null
  url: string | null
  /** Kinds to list; empty for all. */
  kinds: readonly ChangeKind[]
  /** Visited at or after this time; null: any. */
  since: number | null
  /** Visited before this time; null: any. */
  until: number | null
  /** Words added and removed. Changes whose text could not be compared are included. */
  minWords: number
  order: 'newest' | 'oldest'
  /** Changes beyond this place in the order; null: from the start. */
  after: number | null
  limit: number
}

export type ChangeCounts = Record<ChangeKind, number> & {
  /** Changes that have not been examined yet. */
  pending: number
}

export interface Changes {
  list(query: ChangeQuery): Promise<PublishedChange[]>
  find(id: number): Promise<PublishedChange | null>
  /** Counts the changes of one crawl or of all, from visits since a time or ever. */
  count(crawlId: string | null, since: number | null): Promise<ChangeCounts>
  /** 0 if nothing was published yet. */
  lastCursor(): Promise<number>
  /** What is known about noise on the host of a URL; null if nothing. */
  noise(crawlId: string, urlId: number): Promise<string | null>
}
