// Remembers hashes that were seen, in a table of fixed size. A hash may be forgotten when another takes its slot, so
// this can only save work.

export class HashCache {
  readonly #slots: Float64Array

  /** `slots` is a power of two. */
  constructor(slots: number) {
    this.#slots = new Float64Array(slots)
  }

  has(hash: number): boolean {
    return this.#slots[hash & (this.#slots.length - 1)] === hash
  }

  add(hash: number): void {
    this.#slots[hash & (this.#slots.length - 1)] = hash
  }

  clear(): void {
    this.#slots.fill(0)
  }
}
