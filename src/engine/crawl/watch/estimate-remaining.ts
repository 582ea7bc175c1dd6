// When a crawl will be done, as far as that can be told.

import { type CrawlStatus, type Ledger, pageCount } from '../../../ports/state.ts'

const WARM_UP_MS = 3000
const MIN_PAGES_PER_SECOND = 0.05
const MAX_ESTIMATE_MS = 30 * 86_400_000

export interface EstimateInput {
  status: CrawlStatus
  ledger: Ledger
  sitemaps: number
  maxPages: number | null
  /** Time spent crawling so far. */
  elapsedMs: number
  /** Of the last seconds. */
  pagesPerSecond: number
  /** Why the whole crawl waits. */
  held: string | null
  /** It was told to stop. */
  draining: boolean
}

/** Rough time to the end at the recent rate, or null while a guess would only mislead. */
export function estimateRemainingMs(estimateInput: EstimateInput): number | null {
  const { ledger, maxPages, pagesPerSecond } = estimateInput
  if (estimateInput.status !== 'running' || estimateInput.draining || estimateInput.held !== null) return null
  if (estimateInput.elapsedMs < WARM_UP_MS || !(pagesPerSecond >= MIN_PAGES_PER_SECOND)) return null
  const open = ledger.queued + ledger.in_progress
  const left = maxPages === null ? open : Math.min(open, maxPages - pageCount(estimateInput))
  if (left <= 0) return null
  const ms = (left / pagesPerSecond) * 1000
  return ms <= MAX_ESTIMATE_MS ? ms : null
}
