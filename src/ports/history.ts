// How crawls went: samples of their progress, kept for as long as the crawl is. A bounded number of each: when there are
// more, every second one of the older half goes, so that what lies further back is sparser.

import type { Ledger } from './state.ts'

/** At one every five seconds: the last half hour in full, the hour before it at half of that, and so on. */
export const MAX_SAMPLES = 720
/** Several processes may watch a crawl; of samples closer than this the first one counts. */
export const MIN_SAMPLE_GAP_MS = 4_000

export interface HistorySample {
  /** Ms since 1970. */
  at: number
  pagesPerSecond: number
  bytesPerSecond: number
  inFlight: number
  states: Ledger
}

export interface CrawlHistory {
  /** Does nothing if there is no such crawl, or none any more. */
  add(crawlId: string, sample: HistorySample): Promise<void>
  /** The oldest first; empty if nobody has watched it. */
  list(crawlId: string): Promise<HistorySample[]>
}
