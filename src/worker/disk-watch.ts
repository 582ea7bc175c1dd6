// Watches the room that the data directory takes and has. When there is too little the crawl is held, and let go as
// soon as there is enough: files were deleted, or another program made room.
//
// What was under way when it is held is still kept, so the directory can pass its limit by what the crawl receives
// between two looks and has under way.

import type { HoldReason } from '../engine/crawl/waits.ts'
import type { Clock } from '../lib/clock.ts'
import type { Holds } from './holds.ts'

export interface DiskLimits {
  /** The data directory may take so much; 0: no limit. */
  maxBytes: number
  /** Its file system shall keep so much free; 0: no limit. */
  minFreeBytes: number
}

export interface DiskWatchParts {
  usedBytes: () => Promise<number>
  freeBytes: () => Promise<number>
  clock: Clock
  holds: Holds
}

const LOOK_MS = 500

export class DiskWatch {
  readonly #limits: DiskLimits
  readonly #parts: DiskWatchParts
  readonly #trouble = Promise.withResolvers<never>()
  #hold: { reason: HoldReason; giveBack: () => void } | null = null
  #cancelTimer: (() => void) | null = null
  #isOver = false

  constructor(limits: DiskLimits, parts: DiskWatchParts) {
    this.#limits = limits
    this.#parts = parts
    // Told to whoever waits for it, whenever that is.
    this.#trouble.promise.catch(() => undefined)
  }

  /** Rejects when a look fails after the first. */
  get trouble(): Promise<never> {
    return this.#trouble.promise
  }

  /** Resolves after the first look, so that a crawl without room does not even begin. */
  async start(): Promise<void> {
    const reason = await this.#tooLittle()
    if (this.#isOver) return
    this.#heed(reason)
    this.#cancelTimer = this.#parts.clock.after(LOOK_MS, () => {
      this.start().catch((error: unknown) => this.#trouble.reject(error))
    })
  }

  stop(): void {
    this.#isOver = true
    this.#cancelTimer?.()
    this.#heed(null)
  }

  #heed(reason: HoldReason | null): void {
    if (reason === (this.#hold?.reason ?? null)) return
    const before = this.#hold
    this.#hold = reason === null ? null : { reason, giveBack: this.#parts.holds.take(reason) }
    before?.giveBack()
  }

  /** Adding up the files costs more than asking the file system, so it is left out where nobody wants it. */
  async #tooLittle(): Promise<HoldReason | null> {
    const { maxBytes, minFreeBytes } = this.#limits
    if (minFreeBytes > 0 && (await this.#parts.freeBytes()) < minFreeBytes) return 'low_disk'
    if (maxBytes > 0 && (await this.#parts.usedBytes()) >= maxBytes) return 'max_disk'
    return null
  }
}
