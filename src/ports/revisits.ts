// Visiting URLs again. Between visits a URL is counted under its last outcome; when it is due, it is queued again.

import { hash } from 'node:crypto'
import type { TerminalState } from '../lib/states.ts'
import type { CrawlSettings } from './crawls.ts'
import type { LinkRank } from './search.ts'
import type { VisitFacts } from './visits.ts'

/** Settings that decide whether and when a crawl visits its URLs again. */
export const RECRAWL_SETTINGS = [
  'recrawl',
  'recrawlMinMs',
  'recrawlMaxMs',
  'recrawlBudget',
  'schedule',
  'timeZone',
] as const
export type RecrawlSettings = Pick<CrawlSettings, (typeof RECRAWL_SETTINGS)[number]>

export function isRecrawled({ recrawl, schedule }: Pick<RecrawlSettings, 'recrawl' | 'schedule'>): boolean {
  return recrawl !== 'off' || schedule !== null
}

export type ObservedFacts = Pick<
  VisitFacts,
  | 'httpStatus'
  | 'contentHash'
  | 'contentLength'
  | 'contentType'
  | 'title'
  | 'canonical'
  | 'noindex'
  | 'nofollow'
  | 'redirectTo'
>

/**
 * Hash of what a visit has found: status, content, and what the page says about itself. Null if there is nothing.
 * The title is included because the content may not be hashed.
 */
export function observedHash(state: TerminalState, facts: ObservedFacts | null): string | null {
  if (facts === null) return null
  const { httpStatus, contentHash, contentLength, contentType, title, canonical, noindex, nofollow, redirectTo } = facts
  if (state === 'redirected') return hash('sha256', JSON.stringify(['redirect', httpStatus, redirectTo]))
  if (state !== 'visited') return null
  const content = contentHash ?? [contentLength, title]
  return hash('sha256', JSON.stringify([httpStatus, content, contentType, canonical, noindex, nofollow]))
}

export interface RequeuedRevisits {
  /** URLs that were queued again. */
  requeued: number
  /** There is more to do: call again at once. */
  hasMore: boolean
}

export interface Revisits {
  /**
   * Queues URLs that are due, in all active recrawled crawls, at most `limit` per crawl and as many as its budget
   * allows. After a change of settings it also plans the visits of URLs that are known already. Any number of processes
   * may call it at the same time.
   */
  requeueDue(limit: number): Promise<RequeuedRevisits>
  /**
   * Saves the latest link ranks of visited URLs of a recrawled crawl. They take effect when the next visit is
   * planned.
   */
  saveLinkRanks(crawlId: string, ranks: Pick<LinkRank, 'urlId' | 'linkRank'>[]): Promise<void>
}
