// When a crawl will be done, as far as that can be told.

import { type CrawlStatus, type Ledger, pageCount } from '../../ports/state.ts'

const WARM_UP_MS = 3000
const SLOWEST_RATE = 0.05
const LONGEST_MS = 30 * 86_400_000

export interface Pace {
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
export function estimateLeftMs(pace: Pace): number | null {
  const { ledger, maxPages, pagesPerSecond } = pace
  if (pace.status !== 'running' || pace.draining || pace.held !== null) return null
  if (pace.elapsedMs < WARM_UP_MS || !(pagesPerSecond >= SLOWEST_RATE)) return null
  const open = ledger.queued + ledger.in_progress
  const left = maxPages === null ? open : Math.min(open, maxPages - pageCount(pace))
  if (left <= 0) return null
  const ms = (left / pagesPerSecond) * 1000
  return ms <= LONGEST_MS ? ms : null
}
