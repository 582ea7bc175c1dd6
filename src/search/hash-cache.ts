// Remembers hashes that were seen, in a table of fixed size. A hash may be forgotten when another takes its slot, so
// this can only save work.

export class HashCache {
  readonly #slots: Float64Array

  /** `slots` is a power of two. */
  constructor(slots: number) {
    this.#slots = new Float64Array(slots)
  }

  /** Returns false if the hash is remembered. */
  add(hash: number): boolean {
    const slot = hash & (this.#slots.length - 1)
    if (this.#slots[slot] === hash) return false
    this.#slots[slot] = hash
    return true
  }

  clear(): void {
    this.#slots.fill(0)
  }
}
