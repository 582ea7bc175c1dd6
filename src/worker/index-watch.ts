// Watches how far the search index is behind. When too many pages wait the crawl is held, and let go when half of them
// are done, so that it does not stop and start all the time.

import type { Clock } from '../lib/clock.ts'
import { asAppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Holds } from './holds.ts'

export interface IndexWatchParts {
  lag: () => Promise<{ waiting: number; lagMs: number }>
  holds: Holds
  /** Asks all workers to wait for so long. */
  holdAll: (forMs: number) => Promise<void>
  clock: Clock
  log: Log
}

const LOOK_MS = 1000
/** Longer than a look takes on a busy machine; if this process dies, the others go on after so long. */
const HOLD_MS = 10_000

export class IndexWatch {
  readonly #maxWaiting: number
  readonly #parts: IndexWatchParts
  #giveBack: (() => void) | null = null
  #cancelTimer: (() => void) | null = null
  #isOver = false
  #told: Promise<void> = Promise.resolve()
  #last = { waiting: 0, lagMs: 0 }

  /** 0: nothing is held. */
  constructor(maxWaiting: number, parts: IndexWatchParts) {
    this.#maxWaiting = maxWaiting
    this.#parts = parts
  }

  /** As of the last look. */
  get last(): { waiting: number; lagMs: number } {
    return this.#last
  }

  /** Resolves after the first look; the others come by themselves. */
  async start(): Promise<void> {
    try {
      this.#last = await this.#parts.lag()
    } catch (error) {
      // A crawl does not wait for an index that nobody fills.
      this.#last = { waiting: 0, lagMs: 0 }
      if (!this.#isOver) this.#parts.log('index not asked', { message: asAppError(error).message })
    }
    if (this.#isOver) return
    await this.#heed(this.#last.waiting)
    if (this.#isOver) return
    this.#cancelTimer = this.#parts.clock.after(LOOK_MS, () => void this.start())
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#cancelTimer?.()
    await this.#letGo()
  }

  async #heed(waiting: number): Promise<void> {
    if (this.#maxWaiting === 0) return
    if (waiting > this.#maxWaiting) this.#giveBack ??= this.#parts.holds.take('index_lag')
    else if (waiting <= this.#maxWaiting / 2) await this.#letGo()
    if (this.#giveBack !== null) await this.#tell(HOLD_MS)
  }

  async #letGo(): Promise<void> {
    if (this.#giveBack === null) return
    this.#giveBack()
    this.#giveBack = null
    await this.#tell(0)
  }

  /** One after the other, so that the last word is the one that counts. */
  #tell(forMs: number): Promise<void> {
    this.#told = this.#told.then(async () => {
      try {
        await this.#parts.holdAll(forMs)
      } catch (error) {
        this.#parts.log('workers not told', { message: asAppError(error).message })
      }
    })
    return this.#told
  }
}
