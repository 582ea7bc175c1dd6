// The clock of a thread whose event loop can be blocked: in the meantime, time passes for all others, and its own
// timers wait.

import type { Clock } from '../../../src/lib/clock.ts'
import type { ManualClock } from '../../../src/lib/testing/manual-clock.ts'

export class BlockableClock implements Clock {
  readonly #clock: ManualClock
  #isBlocked = false
  #due: (() => void)[] = []

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  after(delayMs: number, callback: () => void): () => void {
    let isCancelled = false
    const fire = () => {
      if (!isCancelled) callback()
    }
    const cancel = this.#clock.after(delayMs, () => {
      if (this.#isBlocked) this.#due.push(fire)
      else fire()
    })
    return () => {
      isCancelled = true
      cancel()
    }
  }

  /** Blocks the thread for this time. */
  block(ms: number): void {
    this.#isBlocked = true
    this.#clock.advance(ms)
    this.#isBlocked = false
    const due = this.#due
    this.#due = []
    this.#clock.after(0, () => {
      for (const fire of due) fire()
    })
  }
}
