// Samples of the progress of a crawl, kept as long as the crawl. Their number is bounded: when there are too many,
// every second one of the older half is deleted, so that older samples are sparser.

import type { Ledger } from '../lib/states.ts'

/**
 * With one sample every five seconds, this keeps all samples of the last half hour, every second one of the hour
 * before, and so on.
 */
export const MAX_SAMPLES = 720
/** Several processes may sample a crawl. Of samples closer than this only the first is stored. */
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
  /** Does nothing if the crawl does not exist. */
  add(crawlId: string, sample: HistorySample): Promise<void>
  /** Oldest first; empty if no process has sampled the crawl. */
  list(crawlId: string): Promise<HistorySample[]>
}
