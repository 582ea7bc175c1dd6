// Lets questions out a few at a time. All answers come to one socket, and a burst of them is lost before it is read:
// 3,000 names took 0.4 s with 50 of them out at a time, and 7 s with 1,000 (2026-11).

import type { Clock } from '../../lib/clock.ts'

const MAX_OUT = 50
/** One not answered by then no longer counts: it will not be part of a burst, and must not hold up the others. */
const SLOW_MS = 250

type Ask = (answered: () => void) => void

export class Outlet {
  readonly #clock: Clock
  readonly #line: Ask[] = []
  #out = 0
  #isLettingOut = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `ask` when it is its turn, maybe before returning; that calls `answered` at the end. */
  pass(ask: Ask): void {
    this.#line.push(ask)
    this.#letOut()
  }

  #letOut(): void {
    // Those who are done at once come back here; the loop below goes on for them, however many they are.
    if (this.#isLettingOut) return
    this.#isLettingOut = true
    while (this.#out < MAX_OUT) {
      const ask = this.#line.shift()
      if (ask === undefined) break
      this.#start(ask)
    }
    this.#isLettingOut = false
  }

  #start(ask: Ask): void {
    let isOut = true
    this.#out += 1
    const leave = () => {
      if (!isOut) return
      isOut = false
      cancelSlow()
      this.#out -= 1
      this.#letOut()
    }
    const cancelSlow = this.#clock.after(SLOW_MS, leave)
    ask(leave)
  }
}
