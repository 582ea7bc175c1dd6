// Lets questions out a few at a time. All answers come to one socket, and a burst of them is lost before it is read:
// 3,000 names took 0.4 s with 50 of them out at a time, and 7 s with 1,000 (2026-11).

import type { Clock } from '../../lib/clock.ts'

const MAX_IN_FLIGHT = 50
/** One not answered by then no longer counts: it will not be part of a burst, and must not hold up the others. */
const SLOW_MS = 250

type StartQuery = (answered: () => void) => void

export class QueryLimiter {
  readonly #clock: Clock
  readonly #queue: StartQuery[] = []
  #inFlight = 0
  #isDraining = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `ask` when it is its turn, maybe before returning; that calls `answered` at the end. */
  run(startQuery: StartQuery): void {
    this.#queue.push(startQuery)
    this.#drain()
  }

  #drain(): void {
    // Those who are done at once come back here; the loop below goes on for them, however many they are.
    if (this.#isDraining) return
    this.#isDraining = true
    while (this.#inFlight < MAX_IN_FLIGHT) {
      const ask = this.#queue.shift()
      if (ask === undefined) break
      this.#start(ask)
    }
    this.#isDraining = false
  }

  #start(startQuery: StartQuery): void {
    let isOut = true
    this.#inFlight += 1
    const leave = () => {
      if (!isOut) return
      isOut = false
      cancelSlow()
      this.#inFlight -= 1
      this.#drain()
    }
    const cancelSlow = this.#clock.after(SLOW_MS, leave)
    startQuery(leave)
  }
}
