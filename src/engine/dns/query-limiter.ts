// Limits concurrent queries. All responses arrive on one socket, and a burst overflows it before it is read: 3,000
// names took 0.4 s with 50 queries in flight, and 7 s with 1,000 (2026-11).

import type { Clock } from '../../lib/clock.ts'

const MAX_IN_FLIGHT = 50
/** A slower query no longer takes a place: it will not be part of a burst, and must not block the others. */
const SLOW_MS = 250

type StartQuery = (finished: () => void) => void

export class QueryLimiter {
  readonly #clock: Clock
  readonly #queue: StartQuery[] = []
  #inFlight = 0
  #isDraining = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `startQuery` when it is its turn, possibly synchronously; that calls `finished` at the end. */
  run(startQuery: StartQuery): void {
    this.#queue.push(startQuery)
    this.#drain()
  }

  #drain(): void {
    // Queries that finish at once call this recursively; the loop below continues for them.
    if (this.#isDraining) return
    this.#isDraining = true
    while (this.#inFlight < MAX_IN_FLIGHT) {
      const startQuery = this.#queue.shift()
      if (startQuery === undefined) break
      this.#start(startQuery)
    }
    this.#isDraining = false
  }

  #start(startQuery: StartQuery): void {
    let isCounted = true
    this.#inFlight += 1
    const release = () => {
      if (!isCounted) return
      isCounted = false
      cancelSlow()
      this.#inFlight -= 1
      this.#drain()
    }
    const cancelSlow = this.#clock.after(SLOW_MS, release)
    startQuery(release)
  }
}
