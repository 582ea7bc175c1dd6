// Server-sent events of all crawls: the progress of those that run, and every change of state. While nobody listens the
// store is not asked. What a slow listener has not taken yet is replaced by what is newer, so it costs no memory.

import type { Clock } from '../../lib/clock.ts'
import { AppError, asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Crawl, CrawlProgress, Crawls } from '../../ports/crawls.ts'
import type { ProgressJson } from '../answers/progress.ts'
import { Listener } from './listener.ts'
import type { Hearer } from './tell-changes.ts'

export interface EventParts {
  crawls: Pick<Crawls, 'list'>
  tell(progress: CrawlProgress): Promise<ProgressJson>
  clock: Clock
  log: Log
}

const LOOK_MS = 1000
const CHECK_MS = 30_000
const MAX_LISTENERS = 1000

type State = Pick<Crawl, 'status' | 'statusAt'>

/** Who listens, and for how long that may go on. */
export interface Reader {
  intervalMs: number
  signal: AbortSignal
  isStillGood(): Promise<boolean>
}

export class Events implements Hearer {
  readonly #parts: EventParts
  readonly #listeners = new Set<Listener>()
  /** By crawl, what was told last; null before the first look. */
  #states: Map<string, State> | null = null
  #cancel: (() => void) | null = null
  #isLooking = false
  /** Counts changes: a list that was read before one knows nothing of it. */
  #version = 0
  #isOver = false

  constructor(parts: EventParts) {
    this.#parts = parts
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** The text of a stream of events, until `signal` or the server ends it. */
  stream(reader: Reader): AsyncIterable<string> {
    if (this.#listeners.size >= MAX_LISTENERS) {
      throw new AppError('RATE_LIMITED', `${MAX_LISTENERS} listen to events, which is the most; try again later.`)
    }
    return this.#listen(new Listener(reader.intervalMs, this.#parts.clock), reader)
  }

  async *#listen(listener: Listener, reader: Reader): AsyncGenerator<string, void, void> {
    const { signal } = reader
    const stop = () => listener.end()
    const stopChecking = this.#checkOften(reader, stop)
    this.#listeners.add(listener)
    signal.addEventListener('abort', stop)
    if (this.#isOver || signal.aborted) listener.end()
    try {
      if (!this.#isLooking) void this.#look()
      yield* listener.texts()
    } finally {
      stopChecking()
      signal.removeEventListener('abort', stop)
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#rest()
    }
  }

  /** Ends the stream of a token that was revoked. */
  #checkOften({ isStillGood }: Reader, end: () => void): () => void {
    const { clock, log } = this.#parts
    const check = () => {
      cancel = clock.after(CHECK_MS, check)
      isStillGood().then(
        (isGood) => isGood || end(),
        (error: unknown) => log.warn('token not checked', { message: asAppError(error).message }),
      )
    }
    let cancel = clock.after(CHECK_MS, check)
    return () => cancel()
  }

  /** Whoever listens hears of it at once. */
  async changed(progress: CrawlProgress): Promise<void> {
    this.#version += 1
    if (this.#listeners.size === 0) return
    const { id, status, statusAt } = progress.crawl
    const hasChanged = isNews(this.#states?.get(id), progress.crawl)
    this.#states?.set(id, { status, statusAt })
    if (hasChanged) await this.#tell(progress, [...this.#listeners])
  }

  removed(crawlId: string): void {
    this.#version += 1
    this.#states?.delete(crawlId)
    const data = JSON.stringify({ crawl_id: crawlId })
    for (const listener of this.#listeners) listener.hear({ event: 'removed', crawlId, data })
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
      const version = this.#version
      const all = await this.#parts.crawls.list()
      if (version === this.#version) await this.#tellAll(all)
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
    const isFirst = this.#states === null
    const states = this.#states ?? new Map<string, State>()
    this.#states = states
    const ids = new Set(all.map(({ crawl }) => crawl.id))
    for (const id of [...states.keys()]) if (!ids.has(id)) this.removed(id)
    for (const progress of all) {
      const { id, status, statusAt } = progress.crawl
      const known = states.get(id)
      // It has changed since, and that was told.
      if (known !== undefined && known.statusAt > statusAt) continue
      const hasChanged = !isFirst && isNews(known, progress.crawl)
      states.set(id, { status, statusAt })
      if (!hasChanged && status !== 'running') continue
      await this.#tell(
        progress,
        [...this.#listeners].filter((listener) => hasChanged || listener.wants(id)),
      )
    }
    if (this.#listeners.size === 0) this.#states = null
  }

  async #tell(progress: CrawlProgress, listeners: Listener[]): Promise<void> {
    if (listeners.length === 0) return
    const { id, statusAt } = progress.crawl
    const data = JSON.stringify(await this.#parts.tell(progress))
    if ((this.#states?.get(id)?.statusAt ?? 0) > statusAt) return
    for (const listener of listeners) listener.hear({ event: 'crawl', crawlId: id, data })
  }
}

function isNews(known: State | undefined, { status, statusAt }: State): boolean {
  return known === undefined || known.status !== status || known.statusAt !== statusAt
}
