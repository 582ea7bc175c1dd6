// The total running time of a crawl over all runs. Saved every few seconds, so that a kill loses no more than that.

import type { Crawl } from '../../ports/crawls.ts'
import type { CrawlSession } from '../io.ts'

const SAVE_MS = 5000

export class ActiveTime {
  readonly #crawl: Crawl
  readonly #session: CrawlSession
  readonly #startedAt = Date.now()
  #savedMs = 0

  constructor(crawl: Crawl, crawlSession: CrawlSession) {
    this.#crawl = crawl
    this.#session = crawlSession
  }

  get totalMs(): number {
    return this.#crawl.activeMs + Date.now() - this.#startedAt
  }

  async saveIfDue(): Promise<void> {
    if (Date.now() - this.#startedAt - this.#savedMs >= SAVE_MS) await this.save()
  }

  async save(): Promise<void> {
    const runMs = Date.now() - this.#startedAt
    const newMs = runMs - this.#savedMs
    this.#savedMs = runMs
    await this.#session.crawls.addActiveTime(this.#crawl.id, newMs)
  }
}
