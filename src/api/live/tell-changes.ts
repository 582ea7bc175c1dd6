// Changes that are made here are told here, at once and each, before whoever made them has an answer. What changes
// elsewhere, in workers and other processes, is seen by those who look now and then.

import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { Steering } from '../../ports/steering.ts'

export interface Hearer {
  /** Of a crawl as it was right after its change. */
  changed(progress: CrawlProgress): Promise<void>
  removed(crawlId: string): void
}

export class ChangeTeller {
  readonly #crawls: Pick<Crawls, 'progress'>
  readonly #log: Log
  readonly #hearers: Hearer[] = []

  constructor(crawls: Pick<Crawls, 'progress'>, log: Log) {
    this.#crawls = crawls
    this.#log = log
  }

  add(hearer: Hearer): void {
    this.#hearers.push(hearer)
  }

  /** Never fails: the change was made, and those who look will see it. */
  async changed(crawlId: string): Promise<void> {
    try {
      const progress = await this.#crawls.progress(crawlId)
      await Promise.all(this.#hearers.map((hearer) => hearer.changed(progress)))
    } catch (error) {
      const { code, message } = asAppError(error)
      this.#log.warn('change not told', { crawl: crawlId, code, message })
    }
  }

  removed(crawlId: string): void {
    for (const hearer of this.#hearers) hearer.removed(crawlId)
  }
}

/** The same crawls, whose changes of state are told. */
export function tellingCrawls(crawls: Crawls, changes: ChangeTeller): Crawls {
  const told = async <T>(crawlId: string, work: Promise<T>): Promise<T> => {
    const value = await work
    await changes.changed(crawlId)
    return value
  }
  return {
    async create(plan) {
      const crawl = await crawls.create(plan)
      await changes.changed(crawl.id)
      return crawl
    },
    find: (idOrPrefix) => crawls.find(idOrPrefix),
    list: (wanted) => crawls.list(wanted),
    progress: (crawlId) => crawls.progress(crawlId),
    reasons: (crawlId) => crawls.reasons(crawlId),
    close: (crawlId, reason) => told(crawlId, crawls.close(crawlId, reason)),
    setPaused: (crawlId, paused) => told(crawlId, crawls.setPaused(crawlId, paused)),
    releasePattern: (crawlId, pattern) => told(crawlId, crawls.releasePattern(crawlId, pattern)),
    retry: (crawlId, state) => told(crawlId, crawls.retry(crawlId, state)),
    addActiveTime: (crawlId, ms) => crawls.addActiveTime(crawlId, ms),
  }
}

export function tellingSteering(steering: Steering, changes: ChangeTeller): Steering {
  return {
    async change(crawlId, settings) {
      const crawl = await steering.change(crawlId, settings)
      await changes.changed(crawlId)
      return crawl
    },
    async remove(crawlId) {
      await steering.remove(crawlId)
      changes.removed(crawlId)
    },
    removeSome: () => steering.removeSome(),
    blockHost: (crawlId, host) => steering.blockHost(crawlId, host),
    async releaseHost(crawlId, host) {
      const queued = await steering.releaseHost(crawlId, host)
      await changes.changed(crawlId)
      return queued
    },
  }
}
