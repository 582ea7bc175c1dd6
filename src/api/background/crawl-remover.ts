// Removes deleted crawls in batches in the background: crawls deleted by this process, and the remains left by an earlier
// or another process. After each batch it pauses for twice the time the batch took, so that others can use the store.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { CrawlControl } from '../../ports/control.ts'

export interface CrawlRemoverDependencies {
  control: Pick<CrawlControl, 'removeNextBatch'>
  clock: Clock
  log: Log
}

/** How long a delete request waits for the removal to complete. */
export const MAX_WAIT_MS = 800
const REST_FACTOR = 2
const MIN_REST_MS = 50
/** How often to look for removals that other processes left unfinished. */
const POLL_INTERVAL_MS = 60_000
const RETRY_MS = 5_000

export class CrawlRemover {
  readonly #dependencies: CrawlRemoverDependencies
  #isStopped = false
  #cancel: () => void = () => undefined
  #running: Promise<void> | null = null
  /** Called when nothing is left to remove. */
  #waiters: (() => void)[] = []

  constructor(dependencies: CrawlRemoverDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    this.#cancel()
    this.#running ??= this.#removeAll().finally(() => {
      this.#running = null
      // A crawl was deleted after the last check.
      if (this.#waiters.length > 0 && !this.#isStopped) this.start()
    })
  }

  /** True if all deleted crawls are removed; false after MAX_WAIT_MS. */
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
    const waiters = this.#waiters
    this.#waiters = []
    try {
      for (;;) {
        const startedAt = clock.now()
        if (this.#isStopped) return
        if (!(await control.removeNextBatch())) break
        if (this.#isStopped) return
        await this.#pause(Math.max(MIN_REST_MS, (clock.now() - startedAt) * REST_FACTOR))
      }
      for (const notify of waiters) notify()
      this.#scheduleStart(POLL_INTERVAL_MS)
    } catch (error) {
      const { code, message } = asAppError(error)
      if (!this.#isStopped) log.warn('failed to remove deleted crawls', { code, message })
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
