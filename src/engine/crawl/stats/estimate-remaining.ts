// Estimates the remaining time of a crawl.

import { type CrawlStatus, type Ledger, pageCount } from '../../../lib/states.ts'

const WARM_UP_MS = 3000
const MIN_PAGES_PER_SECOND = 0.05
const MAX_ESTIMATE_MS = 30 * 86_400_000

export interface EstimateInput {
  status: CrawlStatus
  ledger: Ledger
  sitemaps: number
  requisites: number
  maxPages: number | null
  /** Time spent crawling so far. */
  elapsedMs: number
  /** Mean of the last seconds. */
  pagesPerSecond: number
  /** Reason of the current hold. */
  held: string | null
  /** The crawl is being stopped. */
  draining: boolean
}

/** Rough time to the end at the recent rate; null if an estimate would be misleading. */
export function estimateRemainingMs(estimateInput: EstimateInput): number | null {
  const { pagesPerSecond } = estimateInput
  if (estimateInput.status !== 'running' || estimateInput.draining || estimateInput.held !== null) return null
  if (estimateInput.elapsedMs < WARM_UP_MS || !(pagesPerSecond >= MIN_PAGES_PER_SECOND)) return null
  const left = countRemaining(estimateInput)
  if (left <= 0) return null
  const ms = (left / pagesPerSecond) * 1000
  return ms <= MAX_ESTIMATE_MS ? ms : null
}

/** Known URLs that are still visited, within the page limit. */
export function countRemaining(crawl: Pick<EstimateInput, 'ledger' | 'sitemaps' | 'requisites' | 'maxPages'>): number {
  const open = crawl.ledger.queued + crawl.ledger.in_progress
  return crawl.maxPages === null ? open : Math.max(0, Math.min(open, crawl.maxPages - pageCount(crawl)))
}
