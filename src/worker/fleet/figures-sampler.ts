// Samples the figures that this process reports with every heartbeat.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { LoopCounts } from '../../engine/crawl/stats/loop-counters.ts'
import type { CrawlFigures, WorkerFigures } from '../../ports/workers.ts'

/** Totals over all crawls since the process started. */
export interface RequestCounts {
  requests: number
  /** Requests without a response. */
  failures: number
  bytes: number
  inFlight: number
  held: string | null
  loopCounts: LoopCounts
}

interface CountSample {
  at: number
  requests: number
  failures: number
}

const RECENT_MS = 60_000
const MAX_CRAWLS = 50
const NS_PER_MS = 1e6

export class FiguresSampler {
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })
  readonly #samples: CountSample[] = []
  #cpu = process.cpuUsage()
  #cpuAt: number
  #responses = 0
  #lastAnswerAt: number | null = null
  /** Worst delay of timers between the last two calls. */
  loopDelayMs = 0

  constructor(now: number) {
    this.#cpuAt = now
    this.#delay.enable()
  }

  /** CPU share and loop delay cover the time since the last call. */
  sample(counts: RequestCounts, crawls: CrawlFigures[], now: number): WorkerFigures {
    const { failures, loopCounts: _loopCounts, ...shown } = counts
    const answers = counts.requests - failures
    if (answers > this.#responses) this.#lastAnswerAt = now
    this.#responses = answers
    const since = this.#minuteAgo({ at: now, requests: counts.requests, failures })
    this.loopDelayMs = Math.round(this.#delay.max / NS_PER_MS)
    this.#delay.reset()
    return {
      ...shown,
      answers,
      lastAnswerAt: this.#lastAnswerAt,
      cpuPercent: this.#cpuPercent(now),
      rssBytes: process.memoryUsage.rss(),
      loopDelayMs: this.loopDelayMs,
      recentRequests: counts.requests - since.requests,
      recentFailures: failures - since.failures,
      crawls: busiest(crawls),
    }
  }

  close(): void {
    this.#delay.disable()
  }

  #cpuPercent(now: number): number {
    const { user, system } = process.cpuUsage(this.#cpu)
    const elapsedMs = Math.max(1, now - this.#cpuAt)
    this.#cpu = process.cpuUsage()
    this.#cpuAt = now
    return Math.round((user + system) / 10 / elapsedMs)
  }

  /** The counts of a minute ago, or of the first call. */
  #minuteAgo(countSample: CountSample): CountSample {
    this.#samples.push(countSample)
    while (this.#samples.length > 1 && countSample.at - (this.#samples[0]?.at ?? 0) > RECENT_MS) this.#samples.shift()
    return this.#samples[0] ?? countSample
  }
}

/** A heartbeat has room for this many crawls. */
function busiest(crawls: CrawlFigures[]): CrawlFigures[] {
  return crawls.length <= MAX_CRAWLS ? crawls : crawls.toSorted((a, b) => b.inFlight - a.inFlight).slice(0, MAX_CRAWLS)
}
