// Renews the leases of a crawl loop, and keeps it from using a lease that may be about to expire: another thread could
// get the host while our request is in flight. This matters if the thread was blocked or cannot reach the store.

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
  /** `isAnyLost`: a lease has expired, possibly together with a report. */
  onRenewed(isAnyLost: boolean, requestedAt: number): void
  onFailed(error: unknown): void
}

/**
 * A lease is trusted for a time T after it was granted or renewed. It is renewed after T/3, no request starts after 2T/3,
 * and requests are aborted after 5T/6. T is at most HEARTBEAT_TIMEOUT_MS: a worker that is silent for longer is lost, and
 * its leases are requeued.
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

  /** A step that blocks the thread for this long may have cost it leases. */
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

  /** The store granted or renewed these leases some time after `requestedAt`, so they are trusted from then on. */
  extend(tokens: number[], requestedAt: number): void {
    const startDeadline = requestedAt + this.#trustedMs * (1 - RENEW_FRACTION)
    const endDeadline = requestedAt + this.#trustedMs * (1 - RENEW_FRACTION / 2)
    this.#dependencies.leasedHosts.extend(tokens, { startDeadline, endDeadline })
  }

  #renew(): void {
    const { leasedHosts, clock, frontier } = this.#dependencies
    const tokens = leasedHosts.tokens()
    const requestedAt = clock.now()
    frontier.renew(tokens).then(
      (lost) => {
        if (this.#isOver) return
        // Leases released in the meantime are not lost.
        const isAnyLost = lost.some((token) => leasedHosts.has(token))
        if (!isAnyLost) this.extend(tokens, requestedAt)
        this.start()
        this.#events.onRenewed(isAnyLost, requestedAt)
      },
      (error: unknown) => this.#events.onFailed(error),
    )
  }
}
