// The urls this worker has reported, with the depth it reported: what it would report again costs the store nothing.
// A bounded cache, not the truth: when it is full, older entries give way, and the store's unique key still holds.

import type { KeyLanes } from './key.ts'

const FIRST_SIZE = 1 << 14
/** Slots looked at before the table counts as full around a key. */
const PROBES = 16
const MAX_DEPTH = 0xffff

export class SeenSet {
  readonly #maxSlots: number
  #size = FIRST_SIZE
  #entries = 0
  #hi = new Uint32Array(FIRST_SIZE)
  #lo = new Uint32Array(FIRST_SIZE)
  /** depth + 1; 0 marks an empty slot. */
  #depth = new Uint16Array(FIRST_SIZE)

  /** 10 bytes an entry; `maxEntries` is rounded up to a power of two. */
  constructor(maxEntries: number) {
    this.#maxSlots = Math.max(FIRST_SIZE, 2 ** Math.ceil(Math.log2(Math.max(1, maxEntries))))
  }

  /** True when the url is new, or was reported only at a greater depth; it is then remembered at this one. */
  isNews(key: KeyLanes, depth: number): boolean {
    const mark = Math.min(depth, MAX_DEPTH - 1) + 1
    for (;;) {
      const mask = this.#size - 1
      for (let probe = 0; probe < PROBES; probe++) {
        const slot = (key.lo + probe) & mask
        const held = this.#depth[slot] as number
        if (held === 0) {
          this.#put(slot, key, mark)
          this.#entries += 1
          return true
        }
        if (this.#hi[slot] === key.hi && this.#lo[slot] === key.lo) {
          if (held <= mark) return false
          this.#depth[slot] = mark
          return true
        }
      }
      if (this.#size >= this.#maxSlots) break
      this.#grow()
    }
    this.#put((key.lo + (key.hi % PROBES)) & (this.#size - 1), key, mark)
    return true
  }

  clear(): void {
    this.#depth.fill(0)
    this.#entries = 0
  }

  get entries(): number {
    return this.#entries
  }

  #put(slot: number, key: KeyLanes, mark: number): void {
    this.#hi[slot] = key.hi
    this.#lo[slot] = key.lo
    this.#depth[slot] = mark
  }

  #grow(): void {
    const [hi, lo, depth] = [this.#hi, this.#lo, this.#depth]
    this.#size *= 2
    this.#hi = new Uint32Array(this.#size)
    this.#lo = new Uint32Array(this.#size)
    this.#depth = new Uint16Array(this.#size)
    const mask = this.#size - 1
    for (let i = 0; i < depth.length; i++) {
      const mark = depth[i] as number
      if (mark === 0) continue
      const key = { hi: hi[i] as number, lo: lo[i] as number }
      let slot = key.lo & mask
      for (let probe = 1; probe < PROBES && this.#depth[slot] !== 0; probe++) slot = (key.lo + probe) & mask
      this.#put(slot, key, mark)
    }
  }
}
