// Server-sent events of all crawls: the progress of running crawls and every status change. Without listeners the store
// is not polled. Pending events of a slow listener are replaced by newer ones, so that they use no extra memory.

import type { Clock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Crawl, CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { ProgressJson } from '../views/progress-view.ts'
import { EventStream } from './event-stream.ts'
import type { StatusListener } from './status-notifier.ts'

export interface CrawlEventsDependencies {
  crawls: Pick<Crawls, 'list'>
  toJson(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

const POLL_INTERVAL_MS = 1000
const CHECK_MS = 30_000
const MAX_LISTENERS = 1000

type KnownStatus = Pick<Crawl, 'status' | 'statusAt'>

/** The options of one listener. */
export interface EventSubscription {
  intervalMs: number
  signal: AbortSignal
  isStillValid(): Promise<boolean>
}

export class CrawlEvents implements StatusListener {
  readonly #dependencies: CrawlEventsDependencies
  readonly #streams = new Set<EventStream>()
  /** The last published status by crawl id; null before the first poll. */
  #knownStatuses: Map<string, KnownStatus> | null = null
  #cancel: (() => void) | null = null
  #isPolling = false
  /** Incremented on every change; a list read before a change is discarded. */
  #version = 0
  #isClosed = false

  constructor(dependencies: CrawlEventsDependencies) {
    this.#dependencies = dependencies
  }

  get listenerCount(): number {
    return this.#streams.size
  }

  /** The text of the event stream, until `signal` or the server ends it. */
  stream(eventSubscription: EventSubscription): AsyncIterable<string> {
    if (this.#streams.size >= MAX_LISTENERS) {
      throw new AppError('RATE_LIMITED', `The limit of ${MAX_LISTENERS} event streams is reached. Try again later.`)
    }
    return this.#listen(eventSubscription)
  }

  async *#listen({ intervalMs, signal, isStillValid }: EventSubscription): AsyncGenerator<string, void, void> {
    const end = () => eventStream.end()
    const eventStream = new EventStream(intervalMs, this.#dependencies.clock, () => {
      stopChecking()
      signal.removeEventListener('abort', end)
      this.#streams.delete(eventStream)
      if (this.#streams.size === 0) this.#stopPolling()
    })
    const stopChecking = this.#recheckToken(isStillValid, end)
    this.#streams.add(eventStream)
    signal.addEventListener('abort', end)
    if (this.#isClosed || signal.aborted) end()
    try {
      if (!this.#isPolling) void this.#poll()
      yield* eventStream.frames()
    } finally {
      end()
    }
  }

  /** Ends the stream when its token is revoked. */
  #recheckToken(isStillValid: EventSubscription['isStillValid'], end: () => void): () => void {
    const { clock, log } = this.#dependencies
    const check = () => {
      cancel = clock.after(CHECK_MS, check)
      isStillValid().then(
        (isValid) => isValid || end(),
        (error: unknown) => log.warn('failed to check a token', { message: asAppError(error).message }),
      )
    }
    let cancel = clock.after(CHECK_MS, check)
    return () => cancel()
  }

  /** Publishes a status change immediately. */
  async onChanged(progress: CrawlProgress): Promise<void> {
    this.#version += 1
    if (this.#streams.size === 0) return
    const { id, status, statusAt } = progress.crawl
    const hasChanged = isStatusChange(this.#knownStatuses?.get(id), progress.crawl)
    this.#knownStatuses?.set(id, { status, statusAt })
    if (hasChanged) await this.#publish(progress, [...this.#streams])
  }

  onRemoved(crawlId: string): void {
    this.#version += 1
    this.#knownStatuses?.delete(crawlId)
    const data = JSON.stringify({ crawl_id: crawlId })
    for (const eventStream of this.#streams) eventStream.push({ event: 'removed', crawlId, data })
  }

  close(): void {
    this.#isClosed = true
    this.#stopPolling()
    for (const eventStream of this.#streams) eventStream.end()
  }

  #stopPolling(): void {
    this.#cancel?.()
    this.#knownStatuses = null
  }

  async #poll(): Promise<void> {
    this.#cancel?.()
    this.#isPolling = true
    try {
      const version = this.#version
      const all = await this.#dependencies.crawls.list()
      if (version === this.#version) await this.#publishAll(all)
    } catch (error) {
      const { code, message } = asAppError(error)
      this.#dependencies.log.warn('failed to read crawls for events', { code, message })
    } finally {
      this.#isPolling = false
    }
    if (this.#isClosed || this.#streams.size === 0) return
    this.#cancel = this.#dependencies.clock.after(POLL_INTERVAL_MS, () => void this.#poll())
  }

  async #publishAll(all: CrawlProgress[]): Promise<void> {
    const isFirst = this.#knownStatuses === null
    const states = this.#knownStatuses ?? new Map<string, KnownStatus>()
    this.#knownStatuses = states
    const ids = new Set(all.map(({ crawl }) => crawl.id))
    for (const id of [...states.keys()]) if (!ids.has(id)) this.onRemoved(id)
    for (const progress of all) {
      const { id, status, statusAt } = progress.crawl
      const known = states.get(id)
      // A newer status has already been published.
      if (known !== undefined && known.statusAt > statusAt) continue
      const hasChanged = !isFirst && isStatusChange(known, progress.crawl)
      states.set(id, { status, statusAt })
      if (!hasChanged && status !== 'running') continue
      await this.#publish(
        progress,
        [...this.#streams].filter((eventStream) => hasChanged || eventStream.isDue(id)),
      )
    }
    if (this.#streams.size === 0) this.#knownStatuses = null
  }

  async #publish(progress: CrawlProgress, listeners: EventStream[]): Promise<void> {
    if (listeners.length === 0) return
    const { id, statusAt } = progress.crawl
    const data = JSON.stringify(await this.#dependencies.toJson(progress))
    if ((this.#knownStatuses?.get(id)?.statusAt ?? 0) > statusAt) return
    for (const eventStream of listeners) eventStream.push({ event: 'crawl', crawlId: id, data })
  }
}

function isStatusChange(known: KnownStatus | undefined, { status, statusAt }: KnownStatus): boolean {
  return known === undefined || known.status !== status || known.statusAt !== statusAt
}
