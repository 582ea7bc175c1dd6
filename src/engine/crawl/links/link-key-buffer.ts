// The link keys of many pages in one buffer, each key once per page. The store gets one buffer per batch instead of one
// per page, because sending a buffer costs the same for any size. A page that is still open is not sent.

import type { KeyLanes } from '../../url/url-key.ts'

const FIRST_KEYS = 8192
const FIRST_SLOTS = 256

export class LinkKeyBuffer {
  /** Low and high lane alternately: 8 bytes per key, little-endian like the machines we run on. */
  #keys = new Uint32Array(FIRST_KEYS * 2)
  #count = 0
  /** Where the open page starts; the pages before it are complete. */
  #pageStart = 0
  /** Hash table of the open page: position of each key. A slot is valid if its stamp is the page's. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #stamps = new Uint32Array(FIRST_SLOTS)
  #stamp = 0

  startPage(): void {
    this.#stamp += 1
    this.#pageStart = this.#count
  }

  /** Closes the page and returns its number of keys. */
  endPage(): number {
    const keys = this.#pageKeyCount
    this.#pageStart = this.#count
    return keys
  }

  /** Drops the page and its keys. */
  dropPage(): void {
    this.#count = this.#pageStart
  }

  get #pageKeyCount(): number {
    return this.#count - this.#pageStart
  }

  /** Returns false if the page already has this key. */
  add(key: KeyLanes): boolean {
    if (this.#pageKeyCount * 4 >= this.#slots.length) this.#growSlots()
    if (this.#count * 2 >= this.#keys.length) this.#growKeys()
    const slot = this.#find(key.lo, key.hi)
    if (this.#stamps[slot] === this.#stamp) return false
    this.#stamps[slot] = this.#stamp
    this.#slots[slot] = this.#pageKeyCount
    this.#keys[this.#count * 2] = key.lo
    this.#keys[this.#count * 2 + 1] = key.hi
    this.#count += 1
    return true
  }

  /** Removes and returns the keys of all closed pages. */
  takeClosed(): Uint8Array {
    const bytes = new Uint8Array(this.#keys.buffer.slice(0, this.#pageStart * 8))
    this.#keys.copyWithin(0, this.#pageStart * 2, this.#count * 2)
    this.#count -= this.#pageStart
    this.#pageStart = 0
    return bytes
  }

  clear(): void {
    this.#count = 0
    this.#pageStart = 0
  }

  #find(lo: number, hi: number): number {
    const mask = this.#slots.length - 1
    let slot = (lo ^ hi) & mask
    while (this.#stamps[slot] === this.#stamp) {
      const at = (this.#pageStart + (this.#slots[slot] as number)) * 2
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
    for (let i = this.#pageStart; i < this.#count; i++) {
      const slot = this.#find(this.#keys[i * 2] as number, this.#keys[i * 2 + 1] as number)
      this.#stamps[slot] = 1
      this.#slots[slot] = i - this.#pageStart
    }
  }

  #growKeys(): void {
    const keys = this.#keys
    this.#keys = new Uint32Array(keys.length * 2)
    this.#keys.set(keys)
  }
}
