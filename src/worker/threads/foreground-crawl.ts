// A crawl run by the CLI in the foreground. When its settings change, the current run is stopped and the next one
// starts with the new settings.

import { isDeepStrictEqual } from 'node:util'
import type { LoopEnd } from '../../engine/crawl/loop/crawl-loop.ts'
import { addLoopCounts } from '../../engine/crawl/stats/loop-counters.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { RunningCrawl, RunningCrawlStats } from './running-crawl.ts'

type ForegroundRun = Pick<RunningCrawl, 'run' | 'stop' | 'stats' | 'setProcessCount'>
export type BeginRun = (crawl: Crawl) => Promise<ForegroundRun>

export class ForegroundCrawl {
  readonly #beginRun: BeginRun
  #crawl: Crawl
  #run: ForegroundRun
  /** Settings of the next run; null if none is due. */
  #nextCrawl: Crawl | null = null
  #pastStats: RunningCrawlStats | null = null
  #processes = 1
  #isStopped = false

  static async begin(crawl: Crawl, begin: BeginRun): Promise<ForegroundCrawl> {
    return new ForegroundCrawl(crawl, begin, await begin(crawl))
  }

  private constructor(crawl: Crawl, begin: BeginRun, run: ForegroundRun) {
    this.#beginRun = begin
    this.#crawl = crawl
    this.#run = run
  }

  /** Resolves when the crawl is over or stopped. A rejection of `failure` stops it. */
  async run(failure: Promise<never>): Promise<LoopEnd> {
    for (;;) {
      const end = await this.#run.run(failure)
      const next = this.#nextCrawl
      if (end !== 'stopped' || next === null || this.#isStopped) return end
      this.#pastStats = { ...this.stats(), inFlight: 0 }
      this.#crawl = next
      this.#nextCrawl = null
      this.#run = await this.#beginRun(next)
      this.#run.setProcessCount(this.#processes)
      if (this.#isStopped) this.#run.stop()
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#run.stop()
  }

  /** Restarts the run if the settings differ. */
  applySettings(crawl: Crawl): void {
    if (isDeepStrictEqual(crawl.settings, (this.#nextCrawl ?? this.#crawl).settings)) return
    this.#nextCrawl = crawl
    this.#run.stop()
  }

  setProcessCount(processes: number): void {
    this.#processes = processes
    this.#run.setProcessCount(processes)
  }

  /** Totals of all runs, and the current state of the last one. */
  stats(): RunningCrawlStats {
    const now = this.#run.stats()
    const past = this.#pastStats
    if (past === null) return now
    return {
      ...now,
      requests: past.requests + now.requests,
      failures: past.failures + now.failures,
      bytes: past.bytes + now.bytes,
      loopCounts: addLoopCounts(past.loopCounts, now.loopCounts),
    }
  }
}
