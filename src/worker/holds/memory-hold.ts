// Checks the memory of the process. When it exceeds its budget, caches are cleared and all crawls are on hold, so that
// requests in flight can end and free their memory. Holds are limited in time: if something else than the crawls uses
// the memory, holding them forever would not help.

import { type Clock, repeat } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { HoldSwitch } from './hold-switch.ts'
import type { Holds } from './holds.ts'

export interface MemoryHoldDependencies {
  /** Resident memory of the process. */
  usedBytes: () => number
  clock: Clock
  holds: Holds
}

const CHECK_INTERVAL_MS = 1_000
/** Share of the budget below which the hold ends. */
const RELEASE_BELOW_SHARE = 0.95
const MAX_HOLD_MS = 10_000
/** Minimum time between two holds. */
const MIN_BETWEEN_HOLDS_MS = 10_000

export class MemoryHold {
  readonly #budgetBytes: number
  readonly #dependencies: MemoryHoldDependencies
  readonly #caches = new Set<() => void>()
  #log: Log | null = null
  readonly #hold: HoldSwitch
  #heldSince = 0
  #noHoldBefore = 0
  #cancelTimer: (() => void) | null = null

  constructor(budgetBytes: number, dependencies: MemoryHoldDependencies) {
    this.#budgetBytes = budgetBytes
    this.#dependencies = dependencies
    this.#hold = new HoldSwitch(dependencies.holds)
  }

  /** `clear` is called when the budget is exceeded. */
  addCache(clear: () => void): void {
    this.#caches.add(clear)
  }

  /** Logs to `log` when the budget is exceeded. */
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
    if (this.#hold.isOn) {
      const isOver = usedBytes < this.#budgetBytes * RELEASE_BELOW_SHARE || now - this.#heldSince >= MAX_HOLD_MS
      if (isOver) this.#endHold()
      return
    }
    if (usedBytes <= this.#budgetBytes || now < this.#noHoldBefore) return
    this.#log?.warn('over memory budget', { used_bytes: usedBytes, budget_bytes: this.#budgetBytes })
    for (const clear of this.#caches) clear()
    this.#heldSince = now
    this.#hold.set('memory')
  }

  #endHold(): void {
    if (!this.#hold.isOn) return
    this.#hold.set(null)
    this.#noHoldBefore = this.#dependencies.clock.now() + MIN_BETWEEN_HOLDS_MS
  }
}
