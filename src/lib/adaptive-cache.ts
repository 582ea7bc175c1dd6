// Expensive values, cached for a multiple of the time they took to compute. Concurrent callers share one computation.
// With `servesStale`, an expired value is returned for as long again while the next one is computed, so that regular
// readers never wait.

export interface CacheSettings<T> {
  /** A value is cached for this multiple of the time it took to compute, */
  factor?: number
  /** but at least this long. */
  leastMs?: number
  maxEntries?: number
  /** Limit for all values together. A value larger than a quarter of it is not cached. */
  maxBytes?: number
  sizeOf?: (value: T) => number
  servesStale?: boolean
}

interface CachedValue<T> {
  value: T
  bytes: number
  freshUntil: number
  /** After this time, the value is never returned. */
  usableUntil: number
}

interface CacheEntry<T> {
  cached: CachedValue<T> | null
  pending: Promise<T> | null
}

const MAX_VALUE_SHARE = 1 / 4

export class AdaptiveCache<T> {
  readonly #now: () => number
  readonly #settings: Required<CacheSettings<T>>
  /** Oldest first. */
  readonly #entries = new Map<string, CacheEntry<T>>()
  #bytes = 0

  constructor(now: () => number, settings: CacheSettings<T> = {}) {
    this.#now = now
    this.#settings = {
      factor: 10,
      leastMs: 2_000,
      maxEntries: 200,
      maxBytes: Number.POSITIVE_INFINITY,
      sizeOf: () => 0,
      servesStale: false,
      ...settings,
    }
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string, compute: () => Promise<T>): Promise<T> {
    const now = this.#now()
    const { cached = null, pending = null } = this.#entries.get(key) ?? {}
    if (cached !== null && cached.freshUntil > now) return Promise.resolve(cached.value)
    const next = pending ?? this.#compute(key, compute)
    if (cached === null || cached.usableUntil <= now) return next
    // If it fails, the next caller after the stale period gets the error.
    next.catch(() => undefined)
    return Promise.resolve(cached.value)
  }

  /** Pending values still go to their callers, but are not cached. */
  clear(): void {
    for (const [key, entry] of this.#entries) this.#drop(key, entry)
  }

  #compute(key: string, compute: () => Promise<T>): Promise<T> {
    const startedAt = this.#now()
    const previous = this.#entries.get(key)?.cached ?? null
    this.#evict(key, startedAt)
    const computation = compute()
    const cacheEntry: CacheEntry<T> = { cached: previous, pending: computation }
    this.#entries.delete(key)
    this.#entries.set(key, cacheEntry)
    computation.then(
      (value) => this.#store(key, cacheEntry, value, this.#now() - startedAt),
      () => {
        cacheEntry.pending = null
        if (cacheEntry.cached === null && this.#entries.get(key) === cacheEntry) this.#entries.delete(key)
      },
    )
    return computation
  }

  #store(key: string, cacheEntry: CacheEntry<T>, value: T, tookMs: number): void {
    const { factor, leastMs, maxBytes, sizeOf, servesStale } = this.#settings
    if (this.#entries.get(key) !== cacheEntry) return
    const bytes = sizeOf(value)
    this.#drop(key, cacheEntry)
    if (bytes > maxBytes * MAX_VALUE_SHARE) return
    const lifetimeMs = Math.max(leastMs, tookMs * factor)
    const freshUntil = this.#now() + lifetimeMs
    const stored = { value, bytes, freshUntil, usableUntil: freshUntil + (servesStale ? lifetimeMs : 0) }
    this.#entries.set(key, { cached: stored, pending: null })
    this.#bytes += bytes
    for (const [other, entry] of this.#entries) {
      if (this.#bytes <= maxBytes) return
      if (entry.cached !== null) this.#drop(other, entry)
    }
  }

  /** Drops expired entries and makes room for one more. */
  #evict(key: string, now: number): void {
    for (const [other, entry] of this.#entries) {
      const isExpired = entry.pending === null && (entry.cached === null || entry.cached.usableUntil <= now)
      if (isExpired && other !== key) this.#drop(other, entry)
    }
    const [oldest] = this.#entries
    const isNew = !this.#entries.has(key)
    if (isNew && this.#entries.size >= this.#settings.maxEntries && oldest !== undefined) this.#drop(...oldest)
  }

  #drop(key: string, cacheEntry: CacheEntry<T>): void {
    this.#bytes -= cacheEntry.cached?.bytes ?? 0
    cacheEntry.cached = null
    if (this.#entries.get(key) === cacheEntry) this.#entries.delete(key)
  }
}
