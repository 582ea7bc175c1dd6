// The progress of crawls for those who watch them. A crawl that is watched is read four times a second, less often when
// many are, and one reading serves all its watchers; a crawl that nobody watches is not read.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import type { ProgressJson } from '../views/progress-view.ts'
import type { ChangeListener } from './change-notifier.ts'

export interface ProgressWatcher {
  intervalMs: number
  /** False when it has no room for a message now; a change of state is then told with the next one. */
  send(message: string): boolean
  /** Nothing more will come: the crawl has ended, which the last message has told, or there is none. */
  end(why: 'ended' | 'unknown', message: string): void
}

export interface ProgressFeedDependencies {
  crawls: Pick<Crawls, 'progress'>
  toJson(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

interface WatchedCrawl {
  crawlId: string
  watchers: Map<ProgressWatcher, { toldAt: number; status: CrawlStatus | null }>
  isReading: boolean
  /** Somebody wants a newer reading than the one under way. */
  isStale: boolean
  /** The reading under way is from before a change that was told. */
  isOutdated: boolean
  cancel: () => void
}

/** How soon a change of state is seen. */
export const POLL_INTERVAL_MS = 250
/** Readings a second, over all crawls. */
const MAX_READS_PER_SECOND = 80
const RETRY_MS = 1000
const ENDED: readonly CrawlStatus[] = ['completed', 'cancelled', 'failed']
const UNKNOWN = JSON.stringify({ error: 'Crawl not found' })

export class ProgressFeed implements ChangeListener {
  readonly #dependencies: ProgressFeedDependencies
  readonly #watched = new Map<string, WatchedCrawl>()

  constructor(parts: ProgressFeedDependencies) {
    this.#dependencies = parts
  }

  /** Until the function returned is called. The first message comes at once. */
  watch(crawlId: string, progressWatcher: ProgressWatcher): () => void {
    const watchedCrawl = this.#watched.get(crawlId) ?? this.#open(crawlId)
    watchedCrawl.watchers.set(progressWatcher, { toldAt: 0, status: null })
    this.#refresh(watchedCrawl)
    return () => {
      watchedCrawl.watchers.delete(progressWatcher)
      if (watchedCrawl.watchers.size === 0) this.#close(watchedCrawl)
    }
  }

  /** Its watchers hear of it at once. */
  async onChanged(progress: CrawlProgress): Promise<void> {
    const topic = this.#watched.get(progress.crawl.id)
    if (topic === undefined) return
    topic.isOutdated = topic.isReading
    const told = await this.#dependencies.toJson(progress)
    if (this.#watched.get(topic.crawlId) === topic) this.#publish(topic, told)
  }

  onRemoved(crawlId: string): void {
    const topic = this.#watched.get(crawlId)
    if (topic !== undefined) this.#refresh(topic)
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
    for (const [watcher, told] of watchedCrawl.watchers) {
      // Half a look early rather than half a look late.
      const isDue = told.status !== progress.status || now - told.toldAt >= watcher.intervalMs - POLL_INTERVAL_MS / 2
      if (isDue && watcher.send(message)) watchedCrawl.watchers.set(watcher, { toldAt: now, status: progress.status })
    }
  }

  #onReadFailed(watchedCrawl: WatchedCrawl, error: unknown): void {
    watchedCrawl.isReading = false
    const { code, message } = asAppError(error)
    if (code === 'CRAWL_NOT_FOUND') return this.#end(watchedCrawl, 'unknown', UNKNOWN)
    this.#dependencies.log.warn('progress not read', { crawl: watchedCrawl.crawlId, code, message })
    this.#scheduleRefresh(watchedCrawl, RETRY_MS)
  }

  #end(watchedCrawl: WatchedCrawl, why: 'ended' | 'unknown', message: string): void {
    const watchers = [...watchedCrawl.watchers.keys()]
    this.#close(watchedCrawl)
    for (const progressWatcher of watchers) progressWatcher.end(why, message)
  }

  #scheduleRefresh(watchedCrawl: WatchedCrawl, afterMs: number): void {
    if (watchedCrawl.watchers.size === 0) return
    if (watchedCrawl.isStale) return this.#refresh(watchedCrawl)
    watchedCrawl.cancel = this.#dependencies.clock.after(afterMs, () => this.#refresh(watchedCrawl))
  }
}
