// The shifts of a crawl in the foreground, one after the other: when its settings change the one at work comes to its
// end, and the next goes by the new ones.

import { isDeepStrictEqual } from 'node:util'
import type { LoopEnd } from '../../engine/crawl/loop/crawl-loop.ts'
import { addLoopCounts } from '../../engine/crawl/watch/loop-counters.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { RunningCrawl, RunningCrawlStats } from './running-crawl.ts'

type ForegroundRun = Pick<RunningCrawl, 'run' | 'stop' | 'stats' | 'setProcessCount'>
export type BeginRun = (crawl: Crawl) => Promise<ForegroundRun>

export class ForegroundCrawl {
  readonly #beginRun: BeginRun
  #crawl: Crawl
  #run: ForegroundRun
  /** By which the next shift goes, if there is to be one. */
  #nextCrawl: Crawl | null = null
  #pastStats: RunningCrawlStats | null = null
  #processes = 1
  #isStopped = false

  static async begin(crawl: Crawl, begin: BeginRun): Promise<ForegroundCrawl> {
    return new ForegroundCrawl(crawl, begin, await begin(crawl))
  }

  private constructor(crawl: Crawl, begin: BeginRun, shift: ForegroundRun) {
    this.#beginRun = begin
    this.#crawl = crawl
    this.#run = shift
  }

  /** Until the crawl is over, or it is stopped. */
  async run(trouble: Promise<never>): Promise<LoopEnd> {
    for (;;) {
      const end = await this.#run.run(trouble)
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

  /** The crawl as the store has it now. */
  applySettings(crawl: Crawl): void {
    if (isDeepStrictEqual(crawl.settings, (this.#nextCrawl ?? this.#crawl).settings)) return
    this.#nextCrawl = crawl
    this.#run.stop()
  }

  setProcessCount(processes: number): void {
    this.#processes = processes
    this.#run.setProcessCount(processes)
  }

  /** What all shifts have counted, and what the last one is at. */
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
