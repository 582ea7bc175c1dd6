// Watches how far the search index is behind. When too many pages wait the crawl is held, and let go when half of them
// are done, so that it does not stop and start all the time.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { Holds } from './holds.ts'

export interface IndexWatchDependencies {
  lag: () => Promise<{ waiting: number; lagMs: number }>
  holds: Holds
  /** Asks all workers to wait for so long. */
  holdAll: (forMs: number) => Promise<void>
  clock: Clock
  log: Log
}

const CHECK_INTERVAL_MS = 1000
/** Longer than a look takes on a busy machine; if this process dies, the others go on after so long. */
const HOLD_MS = 10_000

export class IndexWatch {
  readonly #maxWaiting: number
  readonly #dependencies: IndexWatchDependencies
  #releaseHold: (() => void) | null = null
  #cancelTimer: (() => void) | null = null
  #isOver = false
  #lastAnnouncement: Promise<void> = Promise.resolve()
  #lastLag = { waiting: 0, lagMs: 0 }

  /** 0: nothing is held. */
  constructor(maxWaiting: number, dependencies: IndexWatchDependencies) {
    this.#maxWaiting = maxWaiting
    this.#dependencies = dependencies
  }

  /** As of the last look. */
  get lastLag(): { waiting: number; lagMs: number } {
    return this.#lastLag
  }

  /** Resolves after the first look; the others come by themselves. */
  async start(): Promise<void> {
    try {
      this.#lastLag = await this.#dependencies.lag()
    } catch (error) {
      // A crawl does not wait for an index that nobody fills.
      this.#lastLag = { waiting: 0, lagMs: 0 }
      if (!this.#isOver) this.#dependencies.log('index not asked', { message: asAppError(error).message })
    }
    if (this.#isOver) return
    await this.#updateHold(this.#lastLag.waiting)
    if (this.#isOver) return
    this.#cancelTimer = this.#dependencies.clock.after(CHECK_INTERVAL_MS, () => void this.start())
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#cancelTimer?.()
    await this.#endHold()
  }

  async #updateHold(waiting: number): Promise<void> {
    if (this.#maxWaiting === 0) return
    if (waiting > this.#maxWaiting) this.#releaseHold ??= this.#dependencies.holds.take('index_lag')
    else if (waiting <= this.#maxWaiting / 2) await this.#endHold()
    if (this.#releaseHold !== null) await this.#announceHold(HOLD_MS)
  }

  async #endHold(): Promise<void> {
    if (this.#releaseHold === null) return
    this.#releaseHold()
    this.#releaseHold = null
    await this.#announceHold(0)
  }

  /** One after the other, so that the last word is the one that counts. */
  #announceHold(forMs: number): Promise<void> {
    this.#lastAnnouncement = this.#lastAnnouncement.then(async () => {
      try {
        await this.#dependencies.holdAll(forMs)
      } catch (error) {
        this.#dependencies.log('workers not told', { message: asAppError(error).message })
      }
    })
    return this.#lastAnnouncement
  }
}
