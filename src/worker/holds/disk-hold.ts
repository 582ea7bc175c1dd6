// Checks the size of the data directory and the free space of its file system. All crawls are on hold while space is
// short, and continue as soon as there is enough again.
//
// Requests in flight are still archived during a hold, so the directory can exceed its limit by what the crawls receive
// between two checks and have in flight.

import type { Clock } from '../../lib/clock.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import { HoldSwitch } from './hold-switch.ts'
import type { Holds } from './holds.ts'

export interface DiskLimits {
  /** Maximum size of the data directory; 0 means no limit. */
  maxBytes: number
  /** Free space to leave on its file system; 0 means no limit. */
  minFreeBytes: number
}

export interface DiskHoldDependencies {
  usedBytes: () => Promise<number>
  freeBytes: () => Promise<number>
  clock: Clock
  holds: Holds
}

const CHECK_INTERVAL_MS = 500

export class DiskHold {
  readonly #limits: DiskLimits
  readonly #dependencies: DiskHoldDependencies
  readonly #failure = Promise.withResolvers<never>()
  readonly #hold: HoldSwitch
  #cancelTimer: (() => void) | null = null
  #isOver = false

  constructor(limits: DiskLimits, dependencies: DiskHoldDependencies) {
    this.#limits = limits
    this.#dependencies = dependencies
    this.#hold = new HoldSwitch(dependencies.holds)
    // The caller may attach its handler later; this avoids an unhandled rejection until then.
    this.#failure.promise.catch(() => undefined)
  }

  /** Rejects if a check after the first one fails. */
  get failure(): Promise<never> {
    return this.#failure.promise
  }

  /** Resolves after the first check, so that a crawl without space does not start at all. */
  async start(): Promise<void> {
    const reason = await this.#findShortage()
    if (this.#isOver) return
    this.#hold.set(reason)
    this.#cancelTimer = this.#dependencies.clock.after(CHECK_INTERVAL_MS, () => {
      this.start().catch((error: unknown) => this.#failure.reject(error))
    })
  }

  stop(): void {
    this.#isOver = true
    this.#cancelTimer?.()
    this.#hold.set(null)
  }

  /** Adding up file sizes is expensive, so it is skipped if there is no limit. */
  async #findShortage(): Promise<HoldReason | null> {
    const { maxBytes, minFreeBytes } = this.#limits
    if (minFreeBytes > 0 && (await this.#dependencies.freeBytes()) < minFreeBytes) return 'low_disk'
    if (maxBytes > 0 && (await this.#dependencies.usedBytes()) >= maxBytes) return 'max_disk'
    return null
  }
}
