// Server-sent events of all crawls: the progress of those that run, and every change of state. While nobody listens the
// store is not asked. What a slow listener has not taken yet is replaced by what is newer, so it costs no memory.

import type { Clock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import type { ProgressJson } from '../progress.ts'
import { Listener } from './listener.ts'

export interface EventParts {
  crawls: Pick<Crawls, 'list'>
  tell(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

const LOOK_MS = 1000
const MAX_LISTENERS = 1000

export class Events {
  readonly #parts: EventParts
  readonly #listeners = new Set<Listener>()
  /** By crawl; null before the first look. */
  #states: Map<string, CrawlStatus> | null = null
  #cancel: (() => void) | null = null
  #isLooking = false
  #isOver = false

  constructor(parts: EventParts) {
    this.#parts = parts
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** The text of a stream of events, until `signal` or the server ends it. */
  stream(intervalMs: number, signal: AbortSignal): AsyncIterable<string> {
    if (this.#listeners.size >= MAX_LISTENERS) {
      throw new AppError('RATE_LIMITED', `${MAX_LISTENERS} listen to events, which is the most; try again later.`)
    }
    return this.#listen(new Listener(intervalMs, this.#parts.clock), signal)
  }

  async *#listen(listener: Listener, signal: AbortSignal): AsyncGenerator<string, void, void> {
    const stop = () => listener.end()
    this.#listeners.add(listener)
    signal.addEventListener('abort', stop)
    if (this.#isOver || signal.aborted) listener.end()
    try {
      if (!this.#isLooking) void this.#look()
      yield* listener.texts()
    } finally {
      signal.removeEventListener('abort', stop)
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#rest()
    }
  }

  /** A crawl may have changed: whoever listens shall hear of it at once. */
  poke(): void {
    if (this.#listeners.size > 0 && !this.#isLooking) void this.#look()
  }

  close(): void {
    this.#isOver = true
    this.#rest()
    for (const listener of this.#listeners) listener.end()
  }

  #rest(): void {
    this.#cancel?.()
    this.#states = null
  }

  async #look(): Promise<void> {
    this.#cancel?.()
    this.#isLooking = true
    try {
      await this.#tellAll(await this.#parts.crawls.list())
    } catch (error) {
      const { code, message } = asAppError(error)
      this.#parts.log.warn('events not read', { code, message })
    } finally {
      this.#isLooking = false
    }
    if (this.#isOver || this.#listeners.size === 0) return
    this.#cancel = this.#parts.clock.after(LOOK_MS, () => void this.#look())
  }

  async #tellAll(all: CrawlProgress[]): Promise<void> {
    const before = this.#states
    const states = new Map(all.map(({ crawl }) => [crawl.id, crawl.status]))
    for (const progress of all) {
      const { id, status } = progress.crawl
      const hasChanged = before !== null && before.get(id) !== status
      if (!hasChanged && status !== 'running') continue
      const wanting = [...this.#listeners].filter((listener) => hasChanged || listener.wants(id))
      if (wanting.length === 0) continue
      const data = JSON.stringify(await this.#parts.tell(progress))
      for (const listener of wanting) listener.hear({ event: 'crawl', crawlId: id, data })
    }
    for (const id of before?.keys() ?? []) {
      if (states.has(id)) continue
      const data = JSON.stringify({ crawl_id: id })
      for (const listener of this.#listeners) listener.hear({ event: 'removed', crawlId: id, data })
    }
    if (this.#listeners.size > 0) this.#states = states
  }
}
