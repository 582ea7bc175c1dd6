// Notifies listeners of every crawl change made by this process, before the client that made it gets its response.
// Changes made by workers and other processes are found by polling.

import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlControl } from '../../ports/control.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'

export interface StatusListener {
  /** Called with the state of the crawl right after the change. */
  onChanged(progress: CrawlProgress): Promise<void>
  onRemoved(crawlId: string): void
}

export class StatusNotifier {
  readonly #crawls: Pick<Crawls, 'progress'>
  readonly #log: Log
  readonly #listeners: StatusListener[] = []

  constructor(crawls: Pick<Crawls, 'progress'>, log: Log) {
    this.#crawls = crawls
    this.#log = log
  }

  addListener(statusListener: StatusListener): void {
    this.#listeners.push(statusListener)
  }

  /** Never fails: the change is already made, and polling will find it. */
  async notifyChanged(crawlId: string): Promise<void> {
    try {
      const progress = await this.#crawls.progress(crawlId)
      await Promise.all(this.#listeners.map((statusListener) => statusListener.onChanged(progress)))
    } catch (error) {
      const { code, message } = asAppError(error)
      this.#log.warn('failed to notify of a crawl change', { crawl: crawlId, code, message })
    }
  }

  notifyRemoved(crawlId: string): void {
    for (const statusListener of this.#listeners) statusListener.onRemoved(crawlId)
  }
}

/** Wraps `crawls` so that status changes notify the listeners. */
export function notifyingCrawls(crawls: Crawls, changes: StatusNotifier): Crawls {
  const notifyAfter = async <T>(crawlId: string, change: Promise<T>): Promise<T> => {
    const value = await change
    await changes.notifyChanged(crawlId)
    return value
  }
  return {
    async create(plan) {
      const crawl = await crawls.create(plan)
      await changes.notifyChanged(crawl.id)
      return crawl
    },
    find: (idOrPrefix) => crawls.find(idOrPrefix),
    list: (filter) => crawls.list(filter),
    progress: (crawlId) => crawls.progress(crawlId),
    urlsInFlight: (crawlId) => crawls.urlsInFlight(crawlId),
    reasons: (crawlId) => crawls.reasons(crawlId),
    close: (crawlId, reason) => notifyAfter(crawlId, crawls.close(crawlId, reason)),
    setPaused: (crawlId, paused) => notifyAfter(crawlId, crawls.setPaused(crawlId, paused)),
    releasePattern: (crawlId, pattern) => notifyAfter(crawlId, crawls.releasePattern(crawlId, pattern)),
    retry: (crawlId, state) => notifyAfter(crawlId, crawls.retry(crawlId, state)),
    addActiveTime: (crawlId, ms) => crawls.addActiveTime(crawlId, ms),
  }
}

export function notifyingControl(crawlControl: CrawlControl, changes: StatusNotifier): CrawlControl {
  return {
    async changeSettings(crawlId, settings) {
      const crawl = await crawlControl.changeSettings(crawlId, settings)
      await changes.notifyChanged(crawlId)
      return crawl
    },
    async remove(crawlId) {
      await crawlControl.remove(crawlId)
      changes.notifyRemoved(crawlId)
    },
    removeNextBatch: () => crawlControl.removeNextBatch(),
    async addUrls(crawlId, urls, priority) {
      const added = await crawlControl.addUrls(crawlId, urls, priority)
      await changes.notifyChanged(crawlId)
      return added
    },
    blockHost: (crawlId, host) => crawlControl.blockHost(crawlId, host),
    async unblockHost(crawlId, host) {
      const queued = await crawlControl.unblockHost(crawlId, host)
      await changes.notifyChanged(crawlId)
      return queued
    },
  }
}
