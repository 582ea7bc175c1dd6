// Expensive values, cached for a multiple of the time they took to compute. Concurrent callers share one computation.
// With `servesStale`, an expired value is returned for as long again while the next one is computed, so that regular
// readers never wait.

export interface CacheSettings<T> {
  /** A value is kept so many times as long as it took to make, */
  factor?: number
  /** and no shorter than this. */
  leastMs?: number
  maxEntries?: number
  /** Of all values together; one that takes more than a quarter of it is not kept. */
  maxBytes?: number
  sizeOf?: (value: T) => number
  servesStale?: boolean
}

interface Kept<T> {
  value: T
  bytes: number
  freshUntil: number
  /** Nobody gets it from then on. */
  usableUntil: number
}

interface Entry<T> {
  kept: Kept<T> | null
  making: Promise<T> | null
}

const LARGEST_PART = 1 / 4

export class Cached<T> {
  readonly #now: () => number
  readonly #settings: Required<CacheSettings<T>>
  /** Those made longest ago come first. */
  readonly #entries = new Map<string, Entry<T>>()
  #bytes = 0

  constructor(now: () => number, settings: CacheSettings<T> = {}) {
    this.#now = now
    this.#settings = {
      ...{ factor: 10, leastMs: 2_000, maxEntries: 200 },
      ...{ maxBytes: Number.POSITIVE_INFINITY, sizeOf: () => 0, servesStale: false },
      ...settings,
    }
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string, make: () => Promise<T>): Promise<T> {
    const now = this.#now()
    const { kept = null, making = null } = this.#entries.get(key) ?? {}
    if (kept !== null && kept.freshUntil > now) return Promise.resolve(kept.value)
    const next = making ?? this.#make(key, make)
    if (kept === null || kept.usableUntil <= now) return next
    // Whoever asks when that one is over hears of a failure.
    next.catch(() => undefined)
    return Promise.resolve(kept.value)
  }

  /** What is being made goes to those who wait for it, and is not kept. */
  clear(): void {
    for (const [key, entry] of this.#entries) this.#drop(key, entry)
  }

  #make(key: string, make: () => Promise<T>): Promise<T> {
    const startedAt = this.#now()
    const before = this.#entries.get(key)?.kept ?? null
    this.#forgetOld(key, startedAt)
    const making = make()
    const entry: Entry<T> = { kept: before, making }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    making.then(
      (value) => this.#keep(key, entry, value, this.#now() - startedAt),
      () => {
        entry.making = null
        if (entry.kept === null && this.#entries.get(key) === entry) this.#entries.delete(key)
      },
    )
    return making
  }

  #keep(key: string, entry: Entry<T>, value: T, tookMs: number): void {
    const { factor, leastMs, maxBytes, sizeOf, servesStale } = this.#settings
    if (this.#entries.get(key) !== entry) return
    const bytes = sizeOf(value)
    this.#drop(key, entry)
    if (bytes > maxBytes * LARGEST_PART) return
    const keptMs = Math.max(leastMs, tookMs * factor)
    const freshUntil = this.#now() + keptMs
    const kept = { value, bytes, freshUntil, usableUntil: freshUntil + (servesStale ? keptMs : 0) }
    this.#entries.set(key, { kept, making: null })
    this.#bytes += bytes
    for (const [other, one] of this.#entries) {
      if (this.#bytes <= maxBytes) return
      if (one.kept !== null) this.#drop(other, one)
    }
  }

  /** Makes room for one more. */
  #forgetOld(key: string, now: number): void {
    for (const [other, entry] of this.#entries) {
      const isOver = entry.making === null && (entry.kept === null || entry.kept.usableUntil <= now)
      if (isOver && other !== key) this.#drop(other, entry)
    }
    const [oldest] = this.#entries
    const isNew = !this.#entries.has(key)
    if (isNew && this.#entries.size >= this.#settings.maxEntries && oldest !== undefined) this.#drop(...oldest)
  }

  #drop(key: string, entry: Entry<T>): void {
    this.#bytes -= entry.kept?.bytes ?? 0
    entry.kept = null
    if (this.#entries.get(key) === entry) this.#entries.delete(key)
  }
}
