// Token buckets by client name, with a steady rate and a burst. If there are too many, the least recently used bucket is
// dropped, which can only favour its client.

import type { Clock } from '../../lib/clock.ts'

export interface RateLimitSettings {
  perSecond: number
  burst: number
}

interface Bucket {
  left: number
  at: number
}

const MAX_BUCKETS = 10_000

export class RateLimiter {
  readonly #settings: RateLimitSettings
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor(settings: RateLimitSettings, clock: Clock) {
    this.#settings = settings
    this.#clock = clock
  }

  /** Takes a token from the bucket. Returns 0, or the seconds to wait if the bucket is empty. */
  take(name: string): number {
    const { perSecond, burst } = this.#settings
    const now = this.#clock.now()
    const known = this.#buckets.get(name)
    const filled = known === undefined ? burst : known.left + (Math.max(0, now - known.at) / 1000) * perSecond
    const left = Math.min(burst, filled)
    const isAllowed = left >= 1
    // Reinserted at the end, so that the first entry is the least recently used.
    this.#buckets.delete(name)
    this.#buckets.set(name, { left: isAllowed ? left - 1 : left, at: now })
    if (this.#buckets.size > MAX_BUCKETS) this.#evictOldest()
    return isAllowed ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond))
  }

  #evictOldest(): void {
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }
}
