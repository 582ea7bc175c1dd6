// The total running time of a crawl over all runs, without the time in which it is `watching`. Saved every few seconds, so
// that a kill loses no more than that.

import type { Crawl } from '../../ports/crawls.ts'
import type { CrawlSession } from '../io.ts'

const SAVE_MS = 2000

export class ActiveTime {
  readonly #crawl: Crawl
  readonly #session: CrawlSession
  #startedAt = Date.now()
  #watchingSince: number | null = null
  #savedMs = 0

  constructor(crawl: Crawl, crawlSession: CrawlSession) {
    this.#crawl = crawl
    this.#session = crawlSession
  }

  get totalMs(): number {
    return this.#crawl.activeMs + this.#runMs
  }

  get #runMs(): number {
    return (this.#watchingSince ?? Date.now()) - this.#startedAt
  }

  /** Saves the time when the crawl begins to watch: `status` must be right for as long as that takes. */
  async setWatching(isWatching: boolean): Promise<void> {
    if (isWatching) {
      if (this.#watchingSince !== null) return
      this.#watchingSince = Date.now()
      await this.save()
    } else if (this.#watchingSince !== null) {
      this.#startedAt += Date.now() - this.#watchingSince
      this.#watchingSince = null
    }
  }

  async saveIfDue(): Promise<void> {
    if (this.#runMs - this.#savedMs >= SAVE_MS) await this.save()
  }

  async save(): Promise<void> {
    const runMs = this.#runMs
    const newMs = runMs - this.#savedMs
    this.#savedMs = runMs
    await this.#session.crawls.addActiveTime(this.#crawl.id, newMs)
  }
}
