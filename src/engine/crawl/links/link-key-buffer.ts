// The keys of the links of one page at a time, each key once. A page that pauses while its links are added stays open;
// no other page is opened until it is closed.

import type { KeyLanes } from '../../url/url-key.ts'

const FIRST_KEYS = 1024
const FIRST_SLOTS = 256
export const KEY_BYTES = 8
export const NO_LINK_KEYS = new Uint8Array(0)

export class LinkKeyBuffer {
  /** Low and high lane alternately: 8 bytes per key, little-endian like the machines we run on. */
  #keys = new Uint32Array(FIRST_KEYS * 2)
  #count = 0
  /** Hash table: position of each key. A slot is valid if its stamp is the page's. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #stamps = new Uint32Array(FIRST_SLOTS)
  #stamp = 0

  startPage(): void {
    this.#stamp += 1
    this.#count = 0
  }

  /** Returns false if the page already has this key. */
  add(key: KeyLanes): boolean {
    if (this.#count * 4 >= this.#slots.length) this.#growSlots()
    if (this.#count * 2 >= this.#keys.length) this.#growKeys()
    const slot = this.#find(key.lo, key.hi)
    if (this.#stamps[slot] === this.#stamp) return false
    this.#stamps[slot] = this.#stamp
    this.#slots[slot] = this.#count
    this.#keys[this.#count * 2] = key.lo
    this.#keys[this.#count * 2 + 1] = key.hi
    this.#count += 1
    return true
  }

  /** A copy of the keys of the page. */
  copyKeys(): Uint8Array {
    return this.#count === 0 ? NO_LINK_KEYS : new Uint8Array(this.#keys.buffer.slice(0, this.#count * KEY_BYTES))
  }

  #find(lo: number, hi: number): number {
    const mask = this.#slots.length - 1
    let slot = (lo ^ hi) & mask
    while (this.#stamps[slot] === this.#stamp) {
      const at = (this.#slots[slot] as number) * 2
      if (this.#keys[at] === lo && this.#keys[at + 1] === hi) break
      slot = (slot + 1) & mask
    }
    return slot
  }

  #growSlots(): void {
    const size = this.#slots.length * 2
    this.#slots = new Uint32Array(size)
    this.#stamps = new Uint32Array(size)
    this.#stamp = 1
    for (let i = 0; i < this.#count; i++) {
      const slot = this.#find(this.#keys[i * 2] as number, this.#keys[i * 2 + 1] as number)
      this.#stamps[slot] = 1
      this.#slots[slot] = i
    }
  }

  #growKeys(): void {
    const keys = this.#keys
    this.#keys = new Uint32Array(keys.length * 2)
    this.#keys.set(keys)
  }
}
