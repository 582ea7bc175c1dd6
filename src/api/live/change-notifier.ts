// Changes that are made here are told here, at once and each, before whoever made them has an answer. What changes
// elsewhere, in workers and other processes, is seen by those who look now and then.

import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlControl } from '../../ports/control.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'

export interface ChangeListener {
  /** Of a crawl as it was right after its change. */
  onChanged(progress: CrawlProgress): Promise<void>
  onRemoved(crawlId: string): void
}

export class ChangeNotifier {
  readonly #crawls: Pick<Crawls, 'progress'>
  readonly #log: Log
  readonly #listeners: ChangeListener[] = []

  constructor(crawls: Pick<Crawls, 'progress'>, log: Log) {
    this.#crawls = crawls
    this.#log = log
  }

  addListener(changeListener: ChangeListener): void {
    this.#listeners.push(changeListener)
  }

  /** Never fails: the change was made, and those who look will see it. */
  async notifyChanged(crawlId: string): Promise<void> {
    try {
      const progress = await this.#crawls.progress(crawlId)
      await Promise.all(this.#listeners.map((changeListener) => changeListener.onChanged(progress)))
    } catch (error) {
      const { code, message } = asAppError(error)
      this.#log.warn('change not told', { crawl: crawlId, code, message })
    }
  }

  notifyRemoved(crawlId: string): void {
    for (const changeListener of this.#listeners) changeListener.onRemoved(crawlId)
  }
}

/** The same crawls, whose changes of state are told. */
export function notifyingCrawls(crawls: Crawls, changes: ChangeNotifier): Crawls {
  const told = async <T>(crawlId: string, work: Promise<T>): Promise<T> => {
    const value = await work
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

export function notifyingControl(crawlControl: CrawlControl, changes: ChangeNotifier): CrawlControl {
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
    blockHost: (crawlId, host) => crawlControl.blockHost(crawlId, host),
    async unblockHost(crawlId, host) {
      const queued = await crawlControl.unblockHost(crawlId, host)
      await changes.notifyChanged(crawlId)
      return queued
    },
  }
}
