// Positions of URLs by key: open addressing over typed arrays, since a graph has millions of links to look up. Keys are
// hashes, so their lower half alone is well distributed.

export class KeyTable {
  readonly #mask: number
  readonly #low: Uint32Array
  readonly #high: Uint32Array
  /** Position + 1; 0 is free. */
  readonly #at: Uint32Array

  constructor(capacity: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, capacity) * 2))
    this.#mask = size - 1
    this.#low = new Uint32Array(size)
    this.#high = new Uint32Array(size)
    this.#at = new Uint32Array(size)
  }

  /** The number of entries must not exceed the size that the table was created for. */
  set(low: number, high: number, position: number): void {
    let slot = low & this.#mask
    while (this.#at[slot] !== 0) slot = (slot + 1) & this.#mask
    this.#low[slot] = low
    this.#high[slot] = high
    this.#at[slot] = position + 1
  }

  /** -1 if there is none. */
  find(low: number, high: number): number {
    for (let slot = low & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = this.#at[slot] ?? 0
      if (at === 0) return -1
      if (this.#low[slot] === low && this.#high[slot] === high) return at - 1
    }
  }

  /** Positions of a page's link keys, 8 bytes each, little-endian. Unknown keys are skipped. */
  positions(targets: Uint8Array): number[] {
    const positions: number[] = []
    const view = new DataView(targets.buffer, targets.byteOffset, targets.byteLength)
    for (let at = 0; at + 8 <= view.byteLength; at += 8) {
      const position = this.find(view.getUint32(at, true), view.getUint32(at + 4, true))
      if (position !== -1) positions.push(position)
    }
    return positions
  }
}
