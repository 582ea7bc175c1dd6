// The token bucket of a host with a rate: each request takes a token, tokens come back at the rate, and the bucket holds
// `burst` of them. The state is one time, at which the bucket will be full again if nothing is taken.

import { type RequestRate, rateIntervalMs } from '../../config/policies/host-settings.ts'

export class TokenBucket {
  readonly intervalMs: number
  readonly #capacityMs: number
  #fullAt: number

  /**
   * The bucket starts with one token at `from`, the time from which the host may be requested. Further tokens may have
   * been spent by the last holder of the host, so a rate holds across threads, workers and restarts.
   */
  constructor(rate: RequestRate, from: number) {
    this.intervalMs = rateIntervalMs(rate)
    this.#capacityMs = rate.burst * this.intervalMs
    this.#fullAt = from + this.#capacityMs - this.intervalMs
  }

  /** When the next token is available. */
  get nextAt(): number {
    return Math.ceil(this.#fullAt - this.#capacityMs + this.intervalMs)
  }

  take(now: number): void {
    this.#fullAt = Math.max(this.#fullAt, now) + this.intervalMs
  }
}
