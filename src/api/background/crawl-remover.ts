// Crawls that were deleted go piece by piece in the background: those that were deleted here, and what this process
// before it ended, or another one, has left of theirs. Between two pieces others have the store for twice as long.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlControl } from '../../ports/control.ts'

export interface CrawlRemoverDependencies {
  control: Pick<CrawlControl, 'removeNextBatch'>
  clock: Clock
  log: Log
}

/** Whoever deletes a crawl is kept waiting so long to hear that nothing is left of it. */
export const MAX_WAIT_MS = 800
const REST_FACTOR = 2
const MIN_REST_MS = 50
/** What others have left is looked for so often. */
const POLL_INTERVAL_MS = 60_000
const RETRY_MS = 5_000

export class CrawlRemover {
  readonly #dependencies: CrawlRemoverDependencies
  #isStopped = false
  #cancel: () => void = () => undefined
  #running: Promise<void> | null = null
  /** Told when nothing is left. */
  #waiters: (() => void)[] = []

  constructor(parts: CrawlRemoverDependencies) {
    this.#dependencies = parts
  }

  start(): void {
    this.#cancel()
    this.#running ??= this.#removeAll().finally(() => {
      this.#running = null
      // Somebody came after the last look.
      if (this.#waiters.length > 0 && !this.#isStopped) this.start()
    })
  }

  /** True when nothing is left of any deleted crawl; false when that takes longer than anybody should wait for it. */
  waitUntilRemoved(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const cancel = this.#dependencies.clock.after(MAX_WAIT_MS, () => resolve(false))
    this.#waiters.push(() => {
      cancel()
      resolve(true)
    })
    this.start()
    return promise
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#running
  }

  async #removeAll(): Promise<void> {
    const { control, clock, log } = this.#dependencies
    const waiting = this.#waiters
    this.#waiters = []
    try {
      for (;;) {
        const startedAt = clock.now()
        if (this.#isStopped) return
        if (!(await control.removeNextBatch())) break
        if (this.#isStopped) return
        await this.#pause(Math.max(MIN_REST_MS, (clock.now() - startedAt) * REST_FACTOR))
      }
      for (const tell of waiting) tell()
      this.#scheduleStart(POLL_INTERVAL_MS)
    } catch (error) {
      const { code, message } = asAppError(error)
      if (!this.#isStopped) log.warn('deleted crawls not cleared away', { code, message })
      this.#scheduleStart(RETRY_MS)
    }
  }

  #scheduleStart(afterMs: number): void {
    if (!this.#isStopped) this.#cancel = this.#dependencies.clock.after(afterMs, () => this.start())
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#dependencies.clock.after(ms, resolve)
      this.#cancel = () => {
        cancel()
        resolve()
      }
    })
  }
}
