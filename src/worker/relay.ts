// The shifts of a crawl in the foreground, one after the other: when its settings change the one at work comes to its
// end, and the next goes by the new ones.

import { isDeepStrictEqual } from 'node:util'
import type { LoopEnd } from '../engine/crawl/loop.ts'
import { addTallies } from '../engine/crawl/tally.ts'
import type { Crawl } from '../ports/crawls.ts'
import type { Shift, ShiftStats } from './shift.ts'

type RelayShift = Pick<Shift, 'run' | 'stop' | 'stats' | 'shareWith'>
export type BeginShift = (crawl: Crawl) => Promise<RelayShift>

export class Relay {
  readonly #begin: BeginShift
  #crawl: Crawl
  #shift: RelayShift
  /** By which the next shift goes, if there is to be one. */
  #next: Crawl | null = null
  #past: ShiftStats | null = null
  #processes = 1
  #isStopped = false

  static async begin(crawl: Crawl, begin: BeginShift): Promise<Relay> {
    return new Relay(crawl, begin, await begin(crawl))
  }

  private constructor(crawl: Crawl, begin: BeginShift, shift: RelayShift) {
    this.#begin = begin
    this.#crawl = crawl
    this.#shift = shift
  }

  /** Until the crawl is over, or it is stopped. */
  async run(trouble: Promise<never>): Promise<LoopEnd> {
    for (;;) {
      const end = await this.#shift.run(trouble)
      const next = this.#next
      if (end !== 'stopped' || next === null || this.#isStopped) return end
      this.#past = { ...this.stats(), inFlight: 0 }
      this.#crawl = next
      this.#next = null
      this.#shift = await this.#begin(next)
      this.#shift.shareWith(this.#processes)
      if (this.#isStopped) this.#shift.stop()
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#shift.stop()
  }

  /** The crawl as the store has it now. */
  heed(crawl: Crawl): void {
    if (isDeepStrictEqual(crawl.settings, (this.#next ?? this.#crawl).settings)) return
    this.#next = crawl
    this.#shift.stop()
  }

  shareWith(processes: number): void {
    this.#processes = processes
    this.#shift.shareWith(processes)
  }

  /** What all shifts have counted, and what the last one is at. */
  stats(): ShiftStats {
    const now = this.#shift.stats()
    const past = this.#past
    if (past === null) return now
    return {
      ...now,
      requests: past.requests + now.requests,
      failures: past.failures + now.failures,
      bytes: past.bytes + now.bytes,
      tallies: addTallies(past.tallies, now.tallies),
    }
  }
}
