// Watches the memory of the process. When it takes more than its budget, caches are emptied and the crawl is held until
// there is room, so that what is under way can end. A hold is no more than a pause: memory may be taken by something else
// than the crawl, and a crawl that never goes on would not help then.

import { type Clock, repeat } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Holds } from './holds.ts'

export interface MemoryWatchDependencies {
  /** Resident memory of the process. */
  usedBytes: () => number
  clock: Clock
  holds: Holds
}

const CHECK_INTERVAL_MS = 1_000
/** Of the budget: the crawl goes on below it. */
const RELEASE_BELOW_SHARE = 0.95
const MAX_HOLD_MS = 10_000
/** The least time between two holds. */
const MIN_BETWEEN_HOLDS_MS = 10_000

export class MemoryWatch {
  readonly #budgetBytes: number
  readonly #dependencies: MemoryWatchDependencies
  readonly #caches = new Set<() => void>()
  #log: Log | null = null
  #hold: { since: number; giveBack: () => void } | null = null
  #noHoldBefore = 0
  #cancelTimer: (() => void) | null = null

  constructor(budgetBytes: number, dependencies: MemoryWatchDependencies) {
    this.#budgetBytes = budgetBytes
    this.#dependencies = dependencies
  }

  /** `clear` is called when memory is short. */
  addCache(clear: () => void): void {
    this.#caches.add(clear)
  }

  /** `log` is told when the budget is exceeded. */
  start(log: Log | null): void {
    this.#log = log ?? this.#log
    this.#cancelTimer ??= repeat(this.#dependencies.clock, CHECK_INTERVAL_MS, () => this.#check())
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#endHold()
  }

  #check(): void {
    const now = this.#dependencies.clock.now()
    const usedBytes = this.#dependencies.usedBytes()
    if (this.#hold !== null) {
      const isOver = usedBytes < this.#budgetBytes * RELEASE_BELOW_SHARE || now - this.#hold.since >= MAX_HOLD_MS
      if (isOver) this.#endHold()
      return
    }
    if (usedBytes <= this.#budgetBytes || now < this.#noHoldBefore) return
    this.#log?.warn('over memory budget', { used_bytes: usedBytes, budget_bytes: this.#budgetBytes })
    for (const clear of this.#caches) clear()
    this.#hold = { since: now, giveBack: this.#dependencies.holds.take('memory') }
  }

  #endHold(): void {
    if (this.#hold === null) return
    this.#hold.giveBack()
    this.#hold = null
    this.#noHoldBefore = this.#dependencies.clock.now() + MIN_BETWEEN_HOLDS_MS
  }
}
