// The URLs that this worker has reported, with their distance: repeated reports cost the store nothing. A bounded
// cache, not the source of truth: when it is full, older entries are replaced, and the store's unique key still holds.

import type { KeyLanes } from './url-key.ts'

const FIRST_SIZE = 1 << 14
/** Slots probed before the table counts as full around a key: this many let it fill to two thirds before it grows. */
const PROBES = 128

/** Words per slot: low lane, high lane, distance + 1 (0 marks an empty slot). Adjacent, to cost one cache miss. */
const WORDS = 3
/** Farther than any real distance, so that the next report is closer. */
const INFINITE_DISTANCE = 0xffffffff

export class SeenUrls {
  readonly #maxSlots: number
  #slots = FIRST_SIZE
  #entries = 0
  #table = new Uint32Array(FIRST_SIZE * WORDS)

  /** 12 bytes per entry; `maxEntries` is rounded up to a power of two. */
  constructor(maxEntries: number) {
    this.#maxSlots = Math.max(FIRST_SIZE, 2 ** Math.ceil(Math.log2(Math.max(1, maxEntries))))
  }

  /** True if the URL is new, or was only reported at a longer distance; it is then remembered at this distance. */
  addIfCloser(key: KeyLanes, distance: number): boolean {
    const mark = distance + 1
    for (;;) {
      const table = this.#table
      const mask = this.#slots - 1
      for (let probe = 0; probe < PROBES; probe++) {
        const at = ((key.lo + probe) & mask) * WORDS
        const stored = table[at + 2] as number
        if (stored === 0) {
          this.#entries += 1
          put(table, at, key, mark)
          return true
        }
        if (table[at] === key.lo && table[at + 1] === key.hi) {
          if (stored <= mark) return false
          table[at + 2] = mark
          return true
        }
      }
      if (this.#slots >= this.#maxSlots) break
      this.#grow()
    }
    const victim = (key.lo + (key.hi % PROBES)) & (this.#slots - 1)
    put(this.#table, victim * WORDS, key, mark)
    return true
  }

  /** The URL counts as new again. Its slot stays occupied, because others were placed after it. */
  forget(key: KeyLanes): void {
    const table = this.#table
    const mask = this.#slots - 1
    for (let probe = 0; probe < PROBES; probe++) {
      const at = ((key.lo + probe) & mask) * WORDS
      if (table[at + 2] === 0) return
      if (table[at] === key.lo && table[at + 1] === key.hi) table[at + 2] = INFINITE_DISTANCE
    }
  }

  clear(): void {
    this.#table.fill(0)
    this.#entries = 0
  }

  get entries(): number {
    return this.#entries
  }

  #grow(): void {
    const old = this.#table
    this.#slots *= 2
    this.#table = new Uint32Array(this.#slots * WORDS)
    const mask = this.#slots - 1
    for (let from = 0; from < old.length; from += WORDS) {
      const mark = old[from + 2] as number
      if (mark === 0) continue
      const key = { lo: old[from] as number, hi: old[from + 1] as number }
      let slot = key.lo & mask
      for (let probe = 1; probe < PROBES && this.#table[slot * WORDS + 2] !== 0; probe++) slot = (key.lo + probe) & mask
      put(this.#table, slot * WORDS, key, mark)
    }
  }
}

function put(table: Uint32Array, at: number, key: KeyLanes, mark: number): void {
  table[at] = key.lo
  table[at + 1] = key.hi
  table[at + 2] = mark
}
