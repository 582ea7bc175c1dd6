// What this process says of itself with every heartbeat.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Tallies } from '../engine/crawl/tally.ts'
import type { CrawlFigures, WorkerFigures } from '../ports/workers.ts'

/** Counted by the crews over all crawls, since the process started. */
export interface WorkCounts {
  requests: number
  /** Requests that got no answer. */
  failures: number
  bytes: number
  inFlight: number
  held: string | null
  tallies: Tallies
}

interface Mark {
  at: number
  requests: number
  failures: number
}

const RECENT_MS = 60_000
const MAX_CRAWLS = 50
const NS_PER_MS = 1e6

export class Figures {
  readonly #delay = monitorEventLoopDelay({ resolution: 20 })
  readonly #marks: Mark[] = []
  #cpu = process.cpuUsage()
  #cpuAt: number
  #answers = 0
  #lastAnswerAt: number | null = null
  /** How late timers came, at worst, between the last two calls. */
  loopDelayMs = 0

  constructor(now: number) {
    this.#cpuAt = now
    this.#delay.enable()
  }

  /** Looks at the time since the last call. */
  take(counts: WorkCounts, crawls: CrawlFigures[], now: number): WorkerFigures {
    const { failures, tallies: _tallies, ...shown } = counts
    const answers = counts.requests - failures
    if (answers > this.#answers) this.#lastAnswerAt = now
    this.#answers = answers
    const since = this.#sinceAMinute({ at: now, requests: counts.requests, failures })
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
  #sinceAMinute(mark: Mark): Mark {
    this.#marks.push(mark)
    while (this.#marks.length > 1 && mark.at - (this.#marks[0]?.at ?? 0) > RECENT_MS) this.#marks.shift()
    return this.#marks[0] ?? mark
  }
}

/** What a beat has room for. */
function busiest(crawls: CrawlFigures[]): CrawlFigures[] {
  return crawls.length <= MAX_CRAWLS ? crawls : crawls.toSorted((a, b) => b.inFlight - a.inFlight).slice(0, MAX_CRAWLS)
}
