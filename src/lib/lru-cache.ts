// A map with a maximum number of entries; the least recently used one is evicted.

export class LruCache<V> {
  readonly #max: number
  /** In order of last use. */
  readonly #entries = new Map<string, V>()
  /** Continues where the last eviction stopped: a new iterator would walk over all deleted entries again. */
  #oldestKeys = this.#entries.keys()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#entries.size
  }

  /** Counts as a use. */
  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  peek(key: string): V | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#max) this.#evictOldest()
  }

  #evictOldest(): void {
    let oldest = this.#oldestKeys.next()
    if (oldest.done) {
      this.#oldestKeys = this.#entries.keys()
      oldest = this.#oldestKeys.next()
    }
    if (!oldest.done) this.#entries.delete(oldest.value)
  }
}
