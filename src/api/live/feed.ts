// The progress of crawls for those who watch them. A crawl that is watched is read four times a second, less often when
// many are, and one reading serves all its watchers; a crawl that nobody watches is not read.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import type { ProgressJson } from '../answers/progress.ts'
import type { Hearer } from './tell-changes.ts'

export interface Watcher {
  intervalMs: number
  /** False when it has no room for a message now; a change of state is then told with the next one. */
  tell(message: string): boolean
  /** Nothing more will come: the crawl has ended, which the last message has told, or there is none. */
  end(why: 'ended' | 'unknown', message: string): void
}

export interface FeedParts {
  crawls: Pick<Crawls, 'progress'>
  tell(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

interface Topic {
  crawlId: string
  watchers: Map<Watcher, { toldAt: number; status: CrawlStatus | null }>
  isReading: boolean
  /** Somebody wants a newer reading than the one under way. */
  isStale: boolean
  /** The reading under way is from before a change that was told. */
  isOutdated: boolean
  cancel: () => void
}

/** How soon a change of state is seen. */
export const LOOK_MS = 250
/** Readings a second, over all crawls. */
const MAX_READINGS = 80
const RETRY_MS = 1000
const ENDED: readonly CrawlStatus[] = ['completed', 'cancelled', 'failed']
const UNKNOWN = JSON.stringify({ error: 'Crawl not found' })

export class Feed implements Hearer {
  readonly #parts: FeedParts
  readonly #topics = new Map<string, Topic>()

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  /** Until the function returned is called. The first message comes at once. */
  watch(crawlId: string, watcher: Watcher): () => void {
    const topic = this.#topics.get(crawlId) ?? this.#open(crawlId)
    topic.watchers.set(watcher, { toldAt: 0, status: null })
    this.#look(topic)
    return () => {
      topic.watchers.delete(watcher)
      if (topic.watchers.size === 0) this.#close(topic)
    }
  }

  /** Its watchers hear of it at once. */
  async changed(progress: CrawlProgress): Promise<void> {
    const topic = this.#topics.get(progress.crawl.id)
    if (topic === undefined) return
    topic.isOutdated = topic.isReading
    const told = await this.#parts.tell(progress)
    if (this.#topics.get(topic.crawlId) === topic) this.#hand(topic, told)
  }

  removed(crawlId: string): void {
    const topic = this.#topics.get(crawlId)
    if (topic !== undefined) this.#look(topic)
  }

  close(): void {
    for (const topic of this.#topics.values()) this.#close(topic)
  }

  #open(crawlId: string): Topic {
    const idle = { isReading: false, isStale: false, isOutdated: false, cancel: () => undefined }
    const topic: Topic = { crawlId, watchers: new Map(), ...idle }
    this.#topics.set(crawlId, topic)
    return topic
  }

  #close(topic: Topic): void {
    topic.cancel()
    topic.watchers.clear()
    if (this.#topics.get(topic.crawlId) === topic) this.#topics.delete(topic.crawlId)
  }

  #look(topic: Topic): void {
    if (topic.isReading) {
      topic.isStale = true
      return
    }
    topic.cancel()
    topic.isReading = true
    topic.isStale = false
    topic.isOutdated = false
    this.#read(topic.crawlId).then(
      (progress) => this.#told(topic, progress),
      (error: unknown) => this.#failed(topic, error),
    )
  }

  async #read(crawlId: string): Promise<ProgressJson> {
    const { crawls, tell } = this.#parts
    return tell(await crawls.progress(crawlId))
  }

  #told(topic: Topic, progress: ProgressJson): void {
    topic.isReading = false
    if (topic.isOutdated) return this.#look(topic)
    this.#hand(topic, progress)
    this.#lookAgain(topic, Math.max(LOOK_MS, (this.#topics.size * 1000) / MAX_READINGS))
  }

  #hand(topic: Topic, progress: ProgressJson): void {
    const message = JSON.stringify(progress)
    if (ENDED.includes(progress.status)) return this.#end(topic, 'ended', message)
    const now = this.#parts.clock.now()
    for (const [watcher, told] of topic.watchers) {
      // Half a look early rather than half a look late.
      const isDue = told.status !== progress.status || now - told.toldAt >= watcher.intervalMs - LOOK_MS / 2
      if (isDue && watcher.tell(message)) topic.watchers.set(watcher, { toldAt: now, status: progress.status })
    }
  }

  #failed(topic: Topic, error: unknown): void {
    topic.isReading = false
    const { code, message } = asAppError(error)
    if (code === 'CRAWL_NOT_FOUND') return this.#end(topic, 'unknown', UNKNOWN)
    this.#parts.log.warn('progress not read', { crawl: topic.crawlId, code, message })
    this.#lookAgain(topic, RETRY_MS)
  }

  #end(topic: Topic, why: 'ended' | 'unknown', message: string): void {
    const watchers = [...topic.watchers.keys()]
    this.#close(topic)
    for (const watcher of watchers) watcher.end(why, message)
  }

  #lookAgain(topic: Topic, afterMs: number): void {
    if (topic.watchers.size === 0) return
    if (topic.isStale) return this.#look(topic)
    topic.cancel = this.#parts.clock.after(afterMs, () => this.#look(topic))
  }
}
