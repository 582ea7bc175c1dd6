// Keeps the leases of a crawl thread alive, and sees to it that none is used when it may be about to lapse: others could
// get its host while our request is under way. For a thread that was held up for long, or that cannot reach the store.

import type { Clock } from '../../lib/clock.ts'
import type { LoopFrontier } from '../../ports/frontier.ts'
import { SILENT_MS } from '../../ports/workers.ts'
import type { Works } from './works.ts'

export interface RenewalParts {
  frontier: LoopFrontier
  clock: Clock
  works: Works
}

export interface RenewalEvents {
  /** A lease that is lost may have been lost with a report. */
  onRenewed(isAnyLost: boolean, askedAt: number): void
  onFailed(error: unknown): void
}

/**
 * The part of its time after which a lease is renewed. In the last such part of it no request is started, and half of it
 * later those under way are ended. Its time is no longer than the silence after which a worker is lost: others get what
 * it holds then.
 */
const PART = 1 / 3

export class Renewal {
  readonly #trustMs: number
  readonly #parts: RenewalParts
  readonly #events: RenewalEvents
  #isOver = false
  #cancel: (() => void) | null = null

  constructor(leaseMs: number, parts: RenewalParts, events: RenewalEvents) {
    this.#trustMs = Math.min(leaseMs, SILENT_MS)
    this.#parts = parts
    this.#events = events
  }

  /** A thread that did nothing else for so long may have lost leases by that. */
  get maxBusyMs(): number {
    return this.#trustMs / 2
  }

  start(): void {
    if (!this.#isOver) this.#cancel = this.#parts.clock.after(this.#trustMs * PART, () => this.#renew())
  }

  off(): void {
    this.#isOver = true
    this.#cancel?.()
  }

  /** The store has granted or renewed these, at some time after it was asked to. */
  extend(tokens: number[], askedAt: number): void {
    const startBefore = askedAt + this.#trustMs * (1 - PART)
    const endBefore = askedAt + this.#trustMs * (1 - PART / 2)
    this.#parts.works.extend(tokens, { startBefore, endBefore })
  }

  #renew(): void {
    const { works, clock, frontier } = this.#parts
    const tokens = works.tokens()
    const askedAt = clock.now()
    frontier.renew(tokens).then(
      (lost) => {
        if (this.#isOver) return
        // Those that went back meanwhile are not lost.
        const isAnyLost = lost.some((token) => works.holds(token))
        if (!isAnyLost) this.extend(tokens, askedAt)
        this.start()
        this.#events.onRenewed(isAnyLost, askedAt)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }
}
