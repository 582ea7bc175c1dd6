// A fingerprint of the words of a page: near-duplicates differ in few of its bits. Each run of three words is hashed
// into one of 56 buckets; of each bucket the smallest hash stays and gives one bit. So a change of a few words changes
// few buckets, it makes no difference how often something is repeated, and a word costs one comparison. Two pages
// differ in about 28 bits times the share of their runs that only one of them has.
//
// Simhash grows with the root of the change, so small ones cost it dear: of 2,400 real pages cut to 300 words, one more
// sentence moved it by more than NEAR_BITS on 72%, and this on 7% (2026-11).

/** With fewer words most buckets are empty, and pages with nothing in common come out near each other. */
export const MIN_FINGERPRINT_WORDS = 30

// More bits tell finer, fewer forgive more. 56 are the fewest that keep pages apart which have half of their runs in
// common: about one pair in 10,000 of those is within NEAR_BITS.
const BUCKETS = 56
const HALF = BUCKETS / 2

// No hash is larger, save one; and it is even, so an empty bucket gives 0.
const EMPTY = 0x7ffffffe

/** Takes the words of a page in order, as hashes. A word again and again counts once. */
export class FingerprintBuilder {
  readonly #smallest = new Int32Array(BUCKETS).fill(EMPTY)
  #wordCount = 0
  // The word before, and the one before that.
  #last = 0
  #beforeLast = 0

  add(words: Int32Array, count: number): void {
    const smallest = this.#smallest
    let last = this.#last
    let earlier = this.#beforeLast
    let taken = this.#wordCount
    for (let i = 0; i < count; i++) {
      const word = words[i] ?? 0
      if (word === last) continue
      const hash = mix(Math.imul(Math.imul(earlier, 0xc2b2ae3d) ^ last, 0x9e3779b1) ^ word)
      const bucket = ((hash >>> 16) * BUCKETS) >>> 16
      if (hash < (smallest[bucket] ?? 0)) smallest[bucket] = hash
      earlier = last
      last = word
      taken++
    }
    this.#last = last
    this.#beforeLast = earlier
    this.#wordCount = taken
  }

  /** Null if there are too few words. The sketch is empty again after this. */
  finish(): bigint | null {
    const smallest = this.#smallest
    const hasEnough = this.#wordCount >= MIN_FINGERPRINT_WORDS
    let low = 0
    let high = 0
    for (let i = 0; i < HALF; i++) {
      low |= ((smallest[i] ?? 0) & 1) << i
      high |= ((smallest[i + HALF] ?? 0) & 1) << i
    }
    smallest.fill(EMPTY)
    this.#wordCount = 0
    this.#last = 0
    this.#beforeLast = 0
    return hasEnough ? (BigInt(high) << BigInt(HALF)) | BigInt(low) : null
  }
}

/** The number of bits in which two fingerprints differ. */
export function fingerprintDistance(a: bigint, b: bigint): number {
  const bits = a ^ b
  return countBits(Number(BigInt.asIntN(32, bits))) + countBits(Number(BigInt.asIntN(32, bits >> 32n)))
}

function mix(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

function countBits(lane: number): number {
  lane -= (lane >>> 1) & 0x55555555
  lane = (lane & 0x33333333) + ((lane >>> 2) & 0x33333333)
  return Math.imul((lane + (lane >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
