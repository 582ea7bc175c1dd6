// The freshness manager: queues URLs of recrawled crawls when they are due again. It does not crawl; any number of
// processes can do this at the same time.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Revisits } from '../../ports/revisits.ts'

export interface FreshnessLoopDependencies {
  revisits: Revisits
  clock: Clock
  log: Log
}

const EVERY_MS = 1_000
/** URLs per crawl and step, to keep transactions short. */
const BATCH = 1_000

export class FreshnessLoop {
  readonly #dependencies: FreshnessLoopDependencies
  #cancel: (() => void) | null = null
  #isOver = false
  /** URLs queued again since this process started. */
  requeued = 0

  constructor(dependencies: FreshnessLoopDependencies) {
    this.#dependencies = dependencies
  }

  start(): void {
    const { clock, log } = this.#dependencies
    this.step()
      .catch((error: unknown) => {
        // When the process exits, the store may be closed during a step.
        if (!this.#isOver) log.warn('revisits failed', { message: asAppError(error).message })
        return false
      })
      .then((hasMore) => {
        if (!this.#isOver) this.#cancel = clock.after(hasMore ? 0 : EVERY_MS, () => this.start())
      })
  }

  stop(): void {
    this.#isOver = true
    this.#cancel?.()
  }

  /** True if another step would find more to do. */
  async step(): Promise<boolean> {
    const { requeued, hasMore } = await this.#dependencies.revisits.requeueDue(BATCH)
    this.requeued += requeued
    return hasMore
  }
}
