// Crawls that were deleted go piece by piece in the background: those that were deleted here, and what this process
// before it ended, or another one, has left of theirs. Between two pieces others have the store for twice as long.

import type { Clock } from '../lib/clock.ts'
import { asAppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Steering } from '../ports/steering.ts'

export interface RemovalParts {
  steering: Pick<Steering, 'removeSome'>
  clock: Clock
  log: Log
}

/** Whoever deletes a crawl is kept waiting so long to hear that nothing is left of it. */
export const SOON_MS = 800
const REST_FACTOR = 2
const MIN_REST_MS = 50
/** What others have left is looked for so often. */
const LOOK_MS = 60_000
const RETRY_MS = 5_000

export class Removals {
  readonly #parts: RemovalParts
  #isOver = false
  #cancel: () => void = () => undefined
  #running: Promise<void> | null = null
  /** Told when nothing is left. */
  #waiting: (() => void)[] = []

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  start(): void {
    this.#cancel()
    this.#running ??= this.#removeAll().finally(() => {
      this.#running = null
      // Somebody came after the last look.
      if (this.#waiting.length > 0 && !this.#isOver) this.start()
    })
  }

  /** True when nothing is left of any deleted crawl; false when that takes longer than anybody should wait for it. */
  soon(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const cancel = this.#parts.clock.after(SOON_MS, () => resolve(false))
    this.#waiting.push(() => {
      cancel()
      resolve(true)
    })
    this.start()
    return promise
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#cancel()
    await this.#running
  }

  async #removeAll(): Promise<void> {
    const { steering, clock, log } = this.#parts
    const waiting = this.#waiting
    this.#waiting = []
    try {
      for (;;) {
        const startedAt = clock.now()
        if (this.#isOver) return
        if (!(await steering.removeSome())) break
        if (this.#isOver) return
        await this.#rest(Math.max(MIN_REST_MS, (clock.now() - startedAt) * REST_FACTOR))
      }
      for (const tell of waiting) tell()
      this.#lookAgain(LOOK_MS)
    } catch (error) {
      const { code, message } = asAppError(error)
      if (!this.#isOver) log.warn('deleted crawls not cleared away', { code, message })
      this.#lookAgain(RETRY_MS)
    }
  }

  #lookAgain(afterMs: number): void {
    if (!this.#isOver) this.#cancel = this.#parts.clock.after(afterMs, () => this.start())
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(ms, resolve)
      this.#cancel = () => {
        cancel()
        resolve()
      }
    })
  }
}
