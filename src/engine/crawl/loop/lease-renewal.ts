// Keeps the leases of a crawl thread alive, and sees to it that none is used when it may be about to lapse: others could
// get its host while our request is under way. For a thread that was held up for long, or that cannot reach the store.

import type { Clock } from '../../../lib/clock.ts'
import type { LoopFrontier } from '../../../ports/frontier.ts'
import { HEARTBEAT_TIMEOUT_MS } from '../../../ports/workers.ts'
import type { LeasedHosts } from './leased-hosts.ts'

export interface LeaseRenewalDependencies {
  frontier: LoopFrontier
  clock: Clock
  leasedHosts: LeasedHosts
}

export interface LeaseRenewalEvents {
  /** A lease that is lost may have been lost with a report. */
  onRenewed(isAnyLost: boolean, requestedAt: number): void
  onFailed(error: unknown): void
}

/**
 * The part of its time after which a lease is renewed. In the last such part of it no request is started, and half of it
 * later those under way are ended. Its time is no longer than the silence after which a worker is lost: others get what
 * it holds then.
 */
const RENEW_FRACTION = 1 / 3

export class LeaseRenewal {
  readonly #trustedMs: number
  readonly #dependencies: LeaseRenewalDependencies
  readonly #events: LeaseRenewalEvents
  #isOver = false
  #cancel: (() => void) | null = null

  constructor(leaseMs: number, dependencies: LeaseRenewalDependencies, events: LeaseRenewalEvents) {
    this.#trustedMs = Math.min(leaseMs, HEARTBEAT_TIMEOUT_MS)
    this.#dependencies = dependencies
    this.#events = events
  }

  /** A thread that did nothing else for so long may have lost leases by that. */
  get maxBusyMs(): number {
    return this.#trustedMs / 2
  }

  start(): void {
    if (!this.#isOver)
      this.#cancel = this.#dependencies.clock.after(this.#trustedMs * RENEW_FRACTION, () => this.#renew())
  }

  stop(): void {
    this.#isOver = true
    this.#cancel?.()
  }

  /** The store has granted or renewed these, at some time after it was asked to. */
  extend(tokens: number[], requestedAt: number): void {
    const startBefore = requestedAt + this.#trustedMs * (1 - RENEW_FRACTION)
    const endBefore = requestedAt + this.#trustedMs * (1 - RENEW_FRACTION / 2)
    this.#dependencies.leasedHosts.extend(tokens, { startBefore, endBefore })
  }

  #renew(): void {
    const { leasedHosts, clock, frontier } = this.#dependencies
    const tokens = leasedHosts.tokens()
    const requestedAt = clock.now()
    frontier.renew(tokens).then(
      (lost) => {
        if (this.#isOver) return
        // Those that went back meanwhile are not lost.
        const isAnyLost = lost.some((token) => leasedHosts.has(token))
        if (!isAnyLost) this.extend(tokens, requestedAt)
        this.start()
        this.#events.onRenewed(isAnyLost, requestedAt)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }
}
