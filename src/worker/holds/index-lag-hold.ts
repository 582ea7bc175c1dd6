// Checks how far the search index is behind. While too many pages wait to be indexed, all crawls of the fleet are
// held; they continue when half of the pages are done, so that they do not stop and start all the time.

import type { Clock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { HoldSwitch } from './hold-switch.ts'
import type { Holds } from './holds.ts'

export interface IndexLagHoldDependencies {
  lag: () => Promise<{ waiting: number; lagMs: number }>
  holds: Holds
  /** Puts all workers of the fleet on hold for this long. */
  holdAll: (forMs: number) => Promise<void>
  clock: Clock
  log: Log
}

const CHECK_INTERVAL_MS = 1000
/** Longer than a check takes on a busy machine. If this process dies, the other workers continue after this time. */
const HOLD_MS = 10_000

export class IndexLagHold {
  readonly #maxWaiting: number
  readonly #dependencies: IndexLagHoldDependencies
  readonly #hold: HoldSwitch
  #cancelTimer: (() => void) | null = null
  #isOver = false
  #lastAnnouncement: Promise<void> = Promise.resolve()
  #lastLag = { waiting: 0, lagMs: 0 }

  /** `maxWaiting` 0 means that nothing is put on hold. */
  constructor(maxWaiting: number, dependencies: IndexLagHoldDependencies) {
    this.#maxWaiting = maxWaiting
    this.#dependencies = dependencies
    this.#hold = new HoldSwitch(dependencies.holds)
  }

  /** The index lag measured by the last check. */
  get lastLag(): { waiting: number; lagMs: number } {
    return this.#lastLag
  }

  /** Resolves after the first check; further checks are scheduled. */
  async start(): Promise<void> {
    try {
      this.#lastLag = await this.#dependencies.lag()
    } catch (error) {
      // Crawls do not wait for an index that cannot be read.
      this.#lastLag = { waiting: 0, lagMs: 0 }
      if (!this.#isOver) this.#dependencies.log('index lag unknown', { message: asAppError(error).message })
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
    if (waiting > this.#maxWaiting) this.#hold.set('index_lag')
    else if (waiting <= this.#maxWaiting / 2) await this.#endHold()
    if (this.#hold.isOn) await this.#announceHold(HOLD_MS)
  }

  async #endHold(): Promise<void> {
    if (!this.#hold.isOn) return
    this.#hold.set(null)
    await this.#announceHold(0)
  }

  /** Announcements are sent one after the other, so that the last one wins. */
  #announceHold(forMs: number): Promise<void> {
    this.#lastAnnouncement = this.#lastAnnouncement.then(async () => {
      try {
        await this.#dependencies.holdAll(forMs)
      } catch (error) {
        this.#dependencies.log('hold not announced', { message: asAppError(error).message })
      }
    })
    return this.#lastAnnouncement
  }
}
