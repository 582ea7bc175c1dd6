// Answers that cost much, kept for a while: ten times as long as they took to make, and two seconds at least. Those who
// ask meanwhile wait for the same one.

import type { Clock } from '../../lib/clock.ts'

const LEAST_MS = 2_000
const FACTOR = 10
const MAX_ENTRIES = 200

interface Entry<T> {
  value: Promise<T>
  /** Infinite while it is being made. */
  until: number
}

export class Cached<T> {
  readonly #clock: Clock
  readonly #maxEntries: number
  readonly #entries = new Map<string, Entry<T>>()

  /** As many as `maxEntries`, of those whose time is not over. */
  constructor(clock: Clock, maxEntries = MAX_ENTRIES) {
    this.#clock = clock
    this.#maxEntries = maxEntries
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string, make: () => Promise<T>): Promise<T> {
    const startedAt = this.#clock.now()
    const known = this.#entries.get(key)
    if (known !== undefined && known.until > startedAt) return known.value
    const entry: Entry<T> = { value: make(), until: Number.POSITIVE_INFINITY }
    this.#entries.delete(key)
    this.#forgetOld(startedAt)
    this.#entries.set(key, entry)
    entry.value.then(
      () => {
        const now = this.#clock.now()
        entry.until = now + Math.max(LEAST_MS, (now - startedAt) * FACTOR)
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key)
      },
    )
    return entry.value
  }

  #forgetOld(now: number): void {
    for (const [key, { until }] of this.#entries) if (until <= now) this.#entries.delete(key)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest)
  }
}
