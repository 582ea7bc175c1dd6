// Sends the progress of crawls to subscribers (the WebSockets). A crawl with subscribers is read four times a second,
// less often if there are many, and one read serves all of them. Other crawls are not read.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlStatus } from '../../lib/states.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { ProgressJson } from '../views/progress-view.ts'
import type { StatusListener } from './status-notifier.ts'

export interface ProgressSubscriber {
  intervalMs: number
  /** False if the subscriber cannot take a message now; a status change is then sent with the next one. */
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

interface FollowedCrawl {
  crawlId: string
  subscribers: Map<ProgressSubscriber, { sentAt: number; status: CrawlStatus | null }>
  isReading: boolean
  /** Another read is needed after the current one. */
  isReadRequested: boolean
  /** The current read started before a change that has already been published. */
  isReadOutdated: boolean
  cancel: () => void
}

/** The maximum delay of a status change. */
const POLL_INTERVAL_MS = 250
/** Limit over all crawls. */
const MAX_READS_PER_SECOND = 80
const RETRY_MS = 1000
const ENDED: readonly CrawlStatus[] = ['completed', 'cancelled', 'failed']
const UNKNOWN = JSON.stringify({ error: 'Crawl not found' })

export class ProgressFeed implements StatusListener {
  readonly #dependencies: ProgressFeedDependencies
  readonly #followed = new Map<string, FollowedCrawl>()

  constructor(dependencies: ProgressFeedDependencies) {
    this.#dependencies = dependencies
  }

  /** Sends the first message immediately. Returns a function that unsubscribes. */
  subscribe(crawlId: string, subscriber: ProgressSubscriber): () => void {
    const followedCrawl = this.#followed.get(crawlId) ?? this.#open(crawlId)
    followedCrawl.subscribers.set(subscriber, { sentAt: 0, status: null })
    this.#refresh(followedCrawl)
    return () => {
      followedCrawl.subscribers.delete(subscriber)
      if (followedCrawl.subscribers.size === 0) this.#close(followedCrawl)
    }
  }

  /** Publishes the change immediately. */
  async onChanged(progress: CrawlProgress): Promise<void> {
    const followedCrawl = this.#followed.get(progress.crawl.id)
    if (followedCrawl === undefined) return
    followedCrawl.isReadOutdated = followedCrawl.isReading
    const json = await this.#dependencies.toJson(progress)
    if (this.#followed.get(followedCrawl.crawlId) === followedCrawl) this.#publish(followedCrawl, json)
  }

  onRemoved(crawlId: string): void {
    const followedCrawl = this.#followed.get(crawlId)
    if (followedCrawl !== undefined) this.#refresh(followedCrawl)
  }

  close(): void {
    for (const followedCrawl of this.#followed.values()) this.#close(followedCrawl)
  }

  #open(crawlId: string): FollowedCrawl {
    const idle = { isReading: false, isReadRequested: false, isReadOutdated: false, cancel: () => undefined }
    const followedCrawl: FollowedCrawl = { crawlId, subscribers: new Map(), ...idle }
    this.#followed.set(crawlId, followedCrawl)
    return followedCrawl
  }

  #close(followedCrawl: FollowedCrawl): void {
    followedCrawl.cancel()
    followedCrawl.subscribers.clear()
    if (this.#followed.get(followedCrawl.crawlId) === followedCrawl) this.#followed.delete(followedCrawl.crawlId)
  }

  #refresh(followedCrawl: FollowedCrawl): void {
    if (followedCrawl.isReading) {
      followedCrawl.isReadRequested = true
      return
    }
    followedCrawl.cancel()
    followedCrawl.isReading = true
    followedCrawl.isReadRequested = false
    followedCrawl.isReadOutdated = false
    this.#read(followedCrawl.crawlId).then(
      (progress) => this.#onRead(followedCrawl, progress),
      (error: unknown) => this.#onReadFailed(followedCrawl, error),
    )
  }

  async #read(crawlId: string): Promise<ProgressJson> {
    const { crawls, toJson } = this.#dependencies
    return toJson(await crawls.progress(crawlId))
  }

  #onRead(followedCrawl: FollowedCrawl, progress: ProgressJson): void {
    followedCrawl.isReading = false
    if (followedCrawl.isReadOutdated) return this.#refresh(followedCrawl)
    this.#publish(followedCrawl, progress)
    this.#scheduleRefresh(
      followedCrawl,
      Math.max(POLL_INTERVAL_MS, (this.#followed.size * 1000) / MAX_READS_PER_SECOND),
    )
  }

  #publish(followedCrawl: FollowedCrawl, progress: ProgressJson): void {
    const message = JSON.stringify(progress)
    if (ENDED.includes(progress.status)) return this.#end(followedCrawl, 'ended', message)
    const now = this.#dependencies.clock.now()
    for (const [subscriber, last] of followedCrawl.subscribers) {
      // Early by up to half a poll interval, so that messages are late by no more than that.
      const isDue = last.status !== progress.status || now - last.sentAt >= subscriber.intervalMs - POLL_INTERVAL_MS / 2
      if (isDue && subscriber.send(message))
        followedCrawl.subscribers.set(subscriber, { sentAt: now, status: progress.status })
    }
  }

  #onReadFailed(followedCrawl: FollowedCrawl, error: unknown): void {
    followedCrawl.isReading = false
    const { code, message } = asAppError(error)
    if (code === 'CRAWL_NOT_FOUND') return this.#end(followedCrawl, 'unknown', UNKNOWN)
    this.#dependencies.log.warn('failed to read crawl progress', { crawl: followedCrawl.crawlId, code, message })
    this.#scheduleRefresh(followedCrawl, RETRY_MS)
  }

  #end(followedCrawl: FollowedCrawl, reason: 'ended' | 'unknown', message: string): void {
    const subscribers = [...followedCrawl.subscribers.keys()]
    this.#close(followedCrawl)
    for (const subscriber of subscribers) subscriber.end(reason, message)
  }

  #scheduleRefresh(followedCrawl: FollowedCrawl, afterMs: number): void {
    if (followedCrawl.subscribers.size === 0) return
    if (followedCrawl.isReadRequested) return this.#refresh(followedCrawl)
    followedCrawl.cancel = this.#dependencies.clock.after(afterMs, () => this.#refresh(followedCrawl))
  }
}
