// Watches the room that the data directory takes and has. When there is too little the crawl is held, and let go as
// soon as there is enough: files were deleted, or another program made room.
//
// What was under way when it is held is still kept, so the directory can pass its limit by what the crawl receives
// between two looks and has under way.

import type { Clock } from '../../lib/clock.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import type { Holds } from './holds.ts'

export interface DiskLimits {
  /** The data directory may take so much; 0: no limit. */
  maxBytes: number
  /** Its file system shall keep so much free; 0: no limit. */
  minFreeBytes: number
}

export interface DiskWatchDependencies {
  usedBytes: () => Promise<number>
  freeBytes: () => Promise<number>
  clock: Clock
  holds: Holds
}

const CHECK_INTERVAL_MS = 500

export class DiskWatch {
  readonly #limits: DiskLimits
  readonly #dependencies: DiskWatchDependencies
  readonly #failure = Promise.withResolvers<never>()
  #hold: { reason: HoldReason; giveBack: () => void } | null = null
  #cancelTimer: (() => void) | null = null
  #isOver = false

  constructor(limits: DiskLimits, dependencies: DiskWatchDependencies) {
    this.#limits = limits
    this.#dependencies = dependencies
    // Told to whoever waits for it, whenever that is.
    this.#failure.promise.catch(() => undefined)
  }

  /** Rejects when a look fails after the first. */
  get failure(): Promise<never> {
    return this.#failure.promise
  }

  /** Resolves after the first look, so that a crawl without room does not even begin. */
  async start(): Promise<void> {
    const reason = await this.#findShortage()
    if (this.#isOver) return
    this.#updateHold(reason)
    this.#cancelTimer = this.#dependencies.clock.after(CHECK_INTERVAL_MS, () => {
      this.start().catch((error: unknown) => this.#failure.reject(error))
    })
  }

  stop(): void {
    this.#isOver = true
    this.#cancelTimer?.()
    this.#updateHold(null)
  }

  #updateHold(reason: HoldReason | null): void {
    if (reason === (this.#hold?.reason ?? null)) return
    const before = this.#hold
    this.#hold = reason === null ? null : { reason, giveBack: this.#dependencies.holds.take(reason) }
    before?.giveBack()
  }

  /** Adding up the files costs more than asking the file system, so it is left out where nobody wants it. */
  async #findShortage(): Promise<HoldReason | null> {
    const { maxBytes, minFreeBytes } = this.#limits
    if (minFreeBytes > 0 && (await this.#dependencies.freeBytes()) < minFreeBytes) return 'low_disk'
    if (maxBytes > 0 && (await this.#dependencies.usedBytes()) >= maxBytes) return 'max_disk'
    return null
  }
}
