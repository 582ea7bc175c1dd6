// Groups equal texts by a hash of 64 bits, in about 30 bytes for each text however long it is. Two different texts share a
// hash once in many millions of crawls.

import { grow } from './growing-arrays.ts'

const FIRST_SLOTS = 1 << 10

export class TextGroups {
  // Indexed by group number.
  #low = new Uint32Array(FIRST_SLOTS / 2)
  #high = new Uint32Array(FIRST_SLOTS / 2)
  #counts = new Uint32Array(FIRST_SLOTS / 2)
  /** Open addressing: the number of a group plus 1; 0 is free. At most half of the slots are taken. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #size = 0
  readonly #hash = { low: 0, high: 0 }

  /** Number of groups. */
  get size(): number {
    return this.#size
  }

  /** Adds a text and returns the number of its group; groups are numbered from 0 in order of their first text. */
  add(text: string): number {
    const slot = this.#findSlot(text)
    const known = (this.#slots[slot] ?? 0) - 1
    const group = known === -1 ? this.#addGroup(slot) : known
    this.#counts[group] = (this.#counts[group] ?? 0) + 1
    return group
  }

  /** Returns -1 if the text was not added. */
  find(text: string): number {
    return (this.#slots[this.#findSlot(text)] ?? 0) - 1
  }

  /** Number of added texts of the group. */
  count(group: number): number {
    return this.#counts[group] ?? 0
  }

  #addGroup(slot: number): number {
    const group = this.#size
    this.#size += 1
    if (this.#size > this.#low.length) {
      this.#low = grow(this.#low)
      this.#high = grow(this.#high)
      this.#counts = grow(this.#counts)
    }
    this.#low[group] = this.#hash.low
    this.#high[group] = this.#hash.high
    this.#slots[slot] = group + 1
    if (this.#size * 2 > this.#slots.length) this.#rebuild()
    return group
  }

  #findSlot(text: string): number {
    hashText(text, this.#hash)
    const { low, high } = this.#hash
    const mask = this.#slots.length - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const group = (this.#slots[slot] ?? 0) - 1
      if (group === -1 || (this.#low[group] === low && this.#high[group] === high)) return slot
    }
  }

  #rebuild(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let group = 0; group < this.#size; group++) {
      let slot = (this.#low[group] ?? 0) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = group + 1
    }
    this.#slots = slots
  }
}

/** Computes two lanes of 32 bits (multiply and rotate), each over all characters. */
function hashText(text: string, out: { low: number; high: number }): void {
  let low = 0x9e3779b9
  let high = 0x85ebca6b
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 0x9e3779b1)
    low = (low << 15) | (low >>> 17)
    high = Math.imul(high ^ code, 0x85ebca77)
    high = (high << 13) | (high >>> 19)
  }
  low = mix(low ^ text.length)
  out.low = low >>> 0
  out.high = mix(high + low) >>> 0
}

function mix(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
