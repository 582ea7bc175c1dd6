// Hashes of text seen on a host, in bounded memory. When a bucket is full, what was seen least gives way: the lines
// that a template repeats on every page stay, while the sentences of articles come and go.

const WAYS = 8
const FIRST_SIZE = 1 << 11
const MAX_COUNT = 3

export class ShingleSet {
  readonly #maxSize: number
  #hashes = new Uint32Array(FIRST_SIZE)
  /** How often the hash in that place was met again. */
  #counts = new Uint8Array(FIRST_SIZE)
  #entries = 0

  /** 5 bytes an entry; `maxSize` is a power of two. */
  constructor(maxSize: number) {
    this.#maxSize = Math.max(FIRST_SIZE, maxSize)
  }

  get size(): number {
    return this.#hashes.length
  }

  /** True when the hash is new; it is then remembered. */
  add(hash: number): boolean {
    // Zero marks an empty place.
    const wanted = hash >>> 0 || 1
    const bucket = this.#bucketOf(wanted)
    for (let at = bucket; at < bucket + WAYS; at++) {
      const held = this.#hashes[at]
      if (held === wanted) {
        const count = this.#counts[at] as number
        if (count < MAX_COUNT) this.#counts[at] = count + 1
        return false
      }
      if (held === 0) {
        this.#hashes[at] = wanted
        this.#entries += 1
        if (this.#entries * 3 > this.size && this.size < this.#maxSize) this.#grow()
        return true
      }
    }
    this.#replace(bucket, wanted)
    return true
  }

  #bucketOf(hash: number): number {
    return (Math.imul(hash, 0x9e3779b1) >>> 8) & (this.size - WAYS)
  }

  /** The place with the lowest count is taken over; if it had one, all of the bucket age. */
  #replace(bucket: number, hash: number): void {
    const counts = this.#counts
    const first = bucket + (hash & (WAYS - 1))
    let victim = first
    for (let i = 1; i < WAYS; i++) {
      const at = bucket + ((first + i) & (WAYS - 1))
      if ((counts[at] as number) < (counts[victim] as number)) victim = at
    }
    if ((counts[victim] as number) > 0) {
      for (let at = bucket; at < bucket + WAYS; at++) counts[at] = (counts[at] as number) - 1
    }
    this.#hashes[victim] = hash
    counts[victim] = 0
  }

  #grow(): void {
    const hashes = this.#hashes
    const counts = this.#counts
    this.#hashes = new Uint32Array(hashes.length * 2)
    this.#counts = new Uint8Array(hashes.length * 2)
    this.#entries = 0
    for (let from = 0; from < hashes.length; from++) {
      const hash = hashes[from] as number
      if (hash === 0) continue
      let at = this.#bucketOf(hash)
      const end = at + WAYS
      while (at < end && this.#hashes[at] !== 0) at += 1
      if (at === end) continue
      this.#hashes[at] = hash
      this.#counts[at] = counts[from] as number
      this.#entries += 1
    }
  }
}
