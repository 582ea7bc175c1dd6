// Watches the memory of the process. When it takes more than its budget, caches are emptied and the crawl is held until
// there is room, so that what is under way can end. A hold is no more than a pause: memory may be taken by something else
// than the crawl, and a crawl that never goes on would not help then.

import { type Clock, repeat } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Holds } from './holds.ts'

export interface MemoryWatchParts {
  /** Resident memory of the process. */
  usedBytes: () => number
  clock: Clock
  holds: Holds
}

const LOOK_MS = 1_000
/** Of the budget: the crawl goes on below it. */
const ENOUGH = 0.95
const MAX_HOLD_MS = 10_000
/** The least time between two holds. */
const REST_MS = 10_000

export class MemoryWatch {
  readonly #budgetBytes: number
  readonly #parts: MemoryWatchParts
  readonly #caches = new Set<() => void>()
  #log: Log | null = null
  #hold: { since: number; giveBack: () => void } | null = null
  #restsUntil = 0
  #cancelTimer: (() => void) | null = null

  constructor(budgetBytes: number, parts: MemoryWatchParts) {
    this.#budgetBytes = budgetBytes
    this.#parts = parts
  }

  /** `clear` is called when memory is short. */
  addCache(clear: () => void): void {
    this.#caches.add(clear)
  }

  /** `log` is told when the budget is exceeded. */
  start(log: Log | null): void {
    this.#log = log ?? this.#log
    this.#cancelTimer ??= repeat(this.#parts.clock, LOOK_MS, () => this.#look())
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#letGo()
  }

  #look(): void {
    const now = this.#parts.clock.now()
    const usedBytes = this.#parts.usedBytes()
    if (this.#hold !== null) {
      const isOver = usedBytes < this.#budgetBytes * ENOUGH || now - this.#hold.since >= MAX_HOLD_MS
      if (isOver) this.#letGo()
      return
    }
    if (usedBytes <= this.#budgetBytes || now < this.#restsUntil) return
    this.#log?.warn('over memory budget', { used_bytes: usedBytes, budget_bytes: this.#budgetBytes })
    for (const clear of this.#caches) clear()
    this.#hold = { since: now, giveBack: this.#parts.holds.take('memory') }
  }

  #letGo(): void {
    if (this.#hold === null) return
    this.#hold.giveBack()
    this.#hold = null
    this.#restsUntil = this.#parts.clock.now() + REST_MS
  }
}
