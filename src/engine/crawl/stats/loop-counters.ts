// Counters and histograms of a crawl loop for metrics: a few additions per page.

import { addHistograms, Histogram, type HistogramSnapshot } from '../../../lib/metrics.ts'
import type { VisitOutcome } from '../../../ports/visits.ts'

/** Snapshot of one crawl loop, or the sum of several. */
export interface LoopCounts {
  /** Visits with any outcome. */
  processed: number
  visited: number
  /** URLs that ended without a response or with an HTTP error. */
  failed: number
  retried: number
  /** Pages opened in a browser, and the requests they made. */
  rendered: number
  subrequests: number
  /** Times from the start of a request to its response headers. */
  fetch: HistogramSnapshot
  /** Times from the end of a response to its visit report: waiting and processing. */
  processing: HistogramSnapshot
  /** Times from the moment a URL was due (found, or its retry) to the start of its request. */
  queue: HistogramSnapshot
  /** Times from sending a commit to the store's result. */
  commit: HistogramSnapshot
}

const FETCH_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000]
const WORK_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 30_000]
const QUEUE_MS = [100, 1000, 5000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, 86_400_000]

export class LoopCounters {
  #processed = 0
  #visited = 0
  #failed = 0
  #retried = 0
  #rendered = 0
  #subrequests = 0
  readonly fetch = new Histogram(FETCH_MS)
  readonly processing = new Histogram(WORK_MS)
  readonly queue = new Histogram(QUEUE_MS)
  readonly commit = new Histogram(WORK_MS)

  count({ state }: VisitOutcome): void {
    this.#processed += 1
    if (state === 'visited') this.#visited += 1
    else if (state === 'retry') this.#retried += 1
    else if (state === 'failed' || state === 'http_error') this.#failed += 1
  }

  countRendered(): void {
    this.#rendered += 1
  }

  countSubrequest(): void {
    this.#subrequests += 1
  }

  read(): LoopCounts {
    return {
      processed: this.#processed,
      visited: this.#visited,
      failed: this.#failed,
      retried: this.#retried,
      rendered: this.#rendered,
      subrequests: this.#subrequests,
      fetch: this.fetch.read(),
      processing: this.processing.read(),
      queue: this.queue.read(),
      commit: this.commit.read(),
    }
  }
}

export const NO_LOOP_COUNTS: Readonly<LoopCounts> = new LoopCounters().read()

export function addLoopCounts(a: LoopCounts, b: LoopCounts): LoopCounts {
  return {
    processed: a.processed + b.processed,
    visited: a.visited + b.visited,
    failed: a.failed + b.failed,
    retried: a.retried + b.retried,
    rendered: a.rendered + b.rendered,
    subrequests: a.subrequests + b.subrequests,
    fetch: addHistograms(a.fetch, b.fetch),
    processing: addHistograms(a.processing, b.processing),
    queue: addHistograms(a.queue, b.queue),
    commit: addHistograms(a.commit, b.commit),
  }
}
