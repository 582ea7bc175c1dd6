// A map with a maximum number of entries; the least recently used one is evicted. The order is a linked list: in a Map,
// finding the oldest key walks over all deleted entries, and an iterator kept for it keeps every old table alive.

interface Entry<V> {
  key: string
  value: V
  older: Entry<V> | null
  newer: Entry<V> | null
}

export class LruCache<V> {
  readonly #max: number
  readonly #entries = new Map<string, Entry<V>>()
  #oldest: Entry<V> | null = null
  #newest: Entry<V> | null = null

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#entries.size
  }

  /** Counts as a use. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#makeNewest(entry)
    return entry.value
  }

  peek(key: string): V | undefined {
    return this.#entries.get(key)?.value
  }

  set(key: string, value: V): void {
    const known = this.#entries.get(key)
    if (known !== undefined) {
      known.value = value
      this.#makeNewest(known)
      return
    }
    const entry = { key, value, older: null, newer: null }
    this.#entries.set(key, entry)
    this.#append(entry)
    if (this.#entries.size > this.#max && this.#oldest !== null) {
      this.#entries.delete(this.#oldest.key)
      this.#unlink(this.#oldest)
    }
  }

  #makeNewest(entry: Entry<V>): void {
    if (entry === this.#newest) return
    this.#unlink(entry)
    this.#append(entry)
  }

  #append(entry: Entry<V>): void {
    entry.older = this.#newest
    entry.newer = null
    if (this.#newest === null) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
  }

  #unlink({ older, newer }: Entry<V>): void {
    if (older === null) this.#oldest = newer
    else older.newer = newer
    if (newer === null) this.#newest = older
    else newer.older = older
  }
}
