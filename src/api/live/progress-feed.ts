// Feeds the progress of crawls to their watchers. A watched crawl is read four times a second, less often if there are
// many, and one read serves all its watchers. Crawls without watchers are not read.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlStatus } from '../../lib/states.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { ProgressJson } from '../views/progress-view.ts'
import type { ChangeListener } from './change-notifier.ts'

export interface ProgressWatcher {
  intervalMs: number
  /** False if the watcher cannot take a message now; a status change is then sent with the next one. */
  send(message: string): boolean
  /** Sends the last message: the crawl has ended or does not exist. */
  end(reason: 'ended' | 'unknown', message: string): void
}

export interface ProgressFeedDependencies {
  crawls: Pick<Crawls, 'progress'>
  toJson(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

interface WatchedCrawl {
  crawlId: string
  watchers: Map<ProgressWatcher, { sentAt: number; status: CrawlStatus | null }>
  isReading: boolean
  /** Another read is needed after the current one. */
  isStale: boolean
  /** The current read started before a change that has already been published. */
  isOutdated: boolean
  cancel: () => void
}

/** The maximum delay of a status change. */
export const POLL_INTERVAL_MS = 250
/** Over all crawls. */
const MAX_READS_PER_SECOND = 80
const RETRY_MS = 1000
const ENDED: readonly CrawlStatus[] = ['completed', 'cancelled', 'failed']
const UNKNOWN = JSON.stringify({ error: 'Crawl not found' })

export class ProgressFeed implements ChangeListener {
  readonly #dependencies: ProgressFeedDependencies
  readonly #watched = new Map<string, WatchedCrawl>()

  constructor(dependencies: ProgressFeedDependencies) {
    this.#dependencies = dependencies
  }

  /** Sends the first message immediately. Returns a function that stops watching. */
  watch(crawlId: string, progressWatcher: ProgressWatcher): () => void {
    const watchedCrawl = this.#watched.get(crawlId) ?? this.#open(crawlId)
    watchedCrawl.watchers.set(progressWatcher, { sentAt: 0, status: null })
    this.#refresh(watchedCrawl)
    return () => {
      watchedCrawl.watchers.delete(progressWatcher)
      if (watchedCrawl.watchers.size === 0) this.#close(watchedCrawl)
    }
  }

  /** Publishes the change immediately. */
  async onChanged(progress: CrawlProgress): Promise<void> {
    const watchedCrawl = this.#watched.get(progress.crawl.id)
    if (watchedCrawl === undefined) return
    watchedCrawl.isOutdated = watchedCrawl.isReading
    const json = await this.#dependencies.toJson(progress)
    if (this.#watched.get(watchedCrawl.crawlId) === watchedCrawl) this.#publish(watchedCrawl, json)
  }

  onRemoved(crawlId: string): void {
    const watchedCrawl = this.#watched.get(crawlId)
    if (watchedCrawl !== undefined) this.#refresh(watchedCrawl)
  }

  close(): void {
    for (const watchedCrawl of this.#watched.values()) this.#close(watchedCrawl)
  }

  #open(crawlId: string): WatchedCrawl {
    const idle = { isReading: false, isStale: false, isOutdated: false, cancel: () => undefined }
    const watchedCrawl: WatchedCrawl = { crawlId, watchers: new Map(), ...idle }
    this.#watched.set(crawlId, watchedCrawl)
    return watchedCrawl
  }

  #close(watchedCrawl: WatchedCrawl): void {
    watchedCrawl.cancel()
    watchedCrawl.watchers.clear()
    if (this.#watched.get(watchedCrawl.crawlId) === watchedCrawl) this.#watched.delete(watchedCrawl.crawlId)
  }

  #refresh(watchedCrawl: WatchedCrawl): void {
    if (watchedCrawl.isReading) {
      watchedCrawl.isStale = true
      return
    }
    watchedCrawl.cancel()
    watchedCrawl.isReading = true
    watchedCrawl.isStale = false
    watchedCrawl.isOutdated = false
    this.#read(watchedCrawl.crawlId).then(
      (progress) => this.#onRead(watchedCrawl, progress),
      (error: unknown) => this.#onReadFailed(watchedCrawl, error),
    )
  }

  async #read(crawlId: string): Promise<ProgressJson> {
    const { crawls, toJson } = this.#dependencies
    return toJson(await crawls.progress(crawlId))
  }

  #onRead(watchedCrawl: WatchedCrawl, progress: ProgressJson): void {
    watchedCrawl.isReading = false
    if (watchedCrawl.isOutdated) return this.#refresh(watchedCrawl)
    this.#publish(watchedCrawl, progress)
    this.#scheduleRefresh(watchedCrawl, Math.max(POLL_INTERVAL_MS, (this.#watched.size * 1000) / MAX_READS_PER_SECOND))
  }

  #publish(watchedCrawl: WatchedCrawl, progress: ProgressJson): void {
    const message = JSON.stringify(progress)
    if (ENDED.includes(progress.status)) return this.#end(watchedCrawl, 'ended', message)
    const now = this.#dependencies.clock.now()
    for (const [watcher, last] of watchedCrawl.watchers) {
      // Early by up to half a poll interval, so that messages are late by no more than that.
      const isDue = last.status !== progress.status || now - last.sentAt >= watcher.intervalMs - POLL_INTERVAL_MS / 2
      if (isDue && watcher.send(message)) watchedCrawl.watchers.set(watcher, { sentAt: now, status: progress.status })
    }
  }

  #onReadFailed(watchedCrawl: WatchedCrawl, error: unknown): void {
    watchedCrawl.isReading = false
    const { code, message } = asAppError(error)
    if (code === 'CRAWL_NOT_FOUND') return this.#end(watchedCrawl, 'unknown', UNKNOWN)
    this.#dependencies.log.warn('failed to read crawl progress', { crawl: watchedCrawl.crawlId, code, message })
    this.#scheduleRefresh(watchedCrawl, RETRY_MS)
  }

  #end(watchedCrawl: WatchedCrawl, reason: 'ended' | 'unknown', message: string): void {
    const watchers = [...watchedCrawl.watchers.keys()]
    this.#close(watchedCrawl)
    for (const progressWatcher of watchers) progressWatcher.end(reason, message)
  }

  #scheduleRefresh(watchedCrawl: WatchedCrawl, afterMs: number): void {
    if (watchedCrawl.watchers.size === 0) return
    if (watchedCrawl.isStale) return this.#refresh(watchedCrawl)
    watchedCrawl.cancel = this.#dependencies.clock.after(afterMs, () => this.#refresh(watchedCrawl))
  }
}
