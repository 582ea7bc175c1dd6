// Virtual time of a simulation: one timer fires at a time, so that all its effects can be checked before the next. The
// clocks of processes and stores are views of it.

import type { Clock } from '../../../src/lib/clock.ts'

interface Timer {
  at: number
  order: number
  callback: () => void
}

/** Large enough that a time of 0 is long ago. */
export const VIRTUAL_START = 1_000_000_000

export class VirtualTimeline implements Clock {
  #now = VIRTUAL_START
  #order = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }

  /** Time since the start. */
  get elapsedMs(): number {
    return this.#now - VIRTUAL_START
  }

  after(delayMs: number, callback: () => void): () => void {
    this.#order += 1
    const timer = { at: this.#now + Math.max(0, Math.ceil(delayMs)), order: this.#order, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Advances to the next timer and fires it; returns false if there is none. */
  step(): boolean {
    let first: Timer | null = null
    for (const timer of this.#timers) {
      if (first === null || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    }
    if (first === null) return false
    this.#timers.delete(first)
    this.#now = first.at
    first.callback()
    return true
  }
}
