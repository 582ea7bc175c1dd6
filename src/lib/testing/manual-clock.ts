// A clock that only moves when advanced, for tests and simulations.

import type { Clock } from '../clock.ts'

interface Timer {
  at: number
  order: number
  callback: () => void
}

export class ManualClock implements Clock {
  #now: number
  #order = 0
  readonly #timers = new Set<Timer>()

  constructor(start = 1_000_000) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(delayMs: number, callback: () => void): () => void {
    this.#order += 1
    const timer = { at: this.#now + Math.max(0, delayMs), order: this.#order, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Advances by `ms` and fires the timers due in that time, in order. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let timer = this.#next(end); timer !== null; timer = this.#next(end)) {
      this.#timers.delete(timer)
      this.#now = Math.max(this.#now, timer.at)
      timer.callback()
    }
    // A timer may have advanced the clock further.
    this.#now = Math.max(this.#now, end)
  }

  /** When the next timer fires, or null. */
  nextAt(): number | null {
    return this.#next(Number.POSITIVE_INFINITY)?.at ?? null
  }

  #next(until: number): Timer | null {
    let first: Timer | null = null
    for (const timer of this.#timers) {
      if (timer.at > until) continue
      if (first === null || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    }
    return first
  }
}
