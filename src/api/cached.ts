// Answers that cost much, kept for a while: ten times as long as they took to make, and two seconds at least. Those who
// ask meanwhile wait for the same one.

import type { Clock } from '../lib/clock.ts'

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
  readonly #entries = new Map<string, Entry<T>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(key: string, make: () => Promise<T>): Promise<T> {
    const startedAt = this.#clock.now()
    const known = this.#entries.get(key)
    if (known !== undefined && known.until > startedAt) return known.value
    const entry: Entry<T> = { value: make(), until: Number.POSITIVE_INFINITY }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    this.#forgetOldest()
    entry.value.then(
      () => {
        const now = this.#clock.now()
        entry.until = now + Math.max(LEAST_MS, (now - startedAt) * FACTOR)
      },
      () => this.#entries.delete(key),
    )
    return entry.value
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
  }
}
