// Computes a fingerprint of the words of a page: near-duplicates differ in few of its bits. Each run of three words is
// hashed into one of 56 buckets; the smallest hash of each bucket yields one bit. So a change of a few words affects
// few buckets, repetitions make no difference, and a word costs one comparison. Two pages differ in about 28 bits
// times the share of runs that only one of them has.
//
// Simhash grows with the square root of the change, so small changes affect it strongly: of 2,400 real pages cut to 300
// words, an additional sentence moved it by more than NEAR_BITS on 72%, and this on 7% (2026-11).

import { countBits } from '../../lib/count-bits.ts'

/** With fewer words, most buckets are empty, and unrelated pages appear to be near-duplicates. */
export const MIN_FINGERPRINT_WORDS = 30

// More bits distinguish more, fewer tolerate more. 56 is the minimum that separates pages with half of their runs in
// common: about one in 10,000 such pairs is within NEAR_BITS.
const BUCKETS = 56
const HALF = BUCKETS / 2

// Only one hash is larger; and it is even, so an empty bucket yields 0.
const EMPTY = 0x7ffffffe

/** Takes the words of a page in order, as hashes. A repeated word counts once. */
export class FingerprintBuilder {
  readonly #smallest = new Int32Array(BUCKETS).fill(EMPTY)
  #wordCount = 0
  // The previous word, and the one before it.
  #last = 0
  #beforeLast = 0

  add(words: Int32Array, count: number): void {
    const smallest = this.#smallest
    let last = this.#last
    let beforeLast = this.#beforeLast
    let wordCount = this.#wordCount
    for (let i = 0; i < count; i++) {
      const word = words[i] ?? 0
      if (word === last) continue
      const hash = mix(Math.imul(Math.imul(beforeLast, 0xc2b2ae3d) ^ last, 0x9e3779b1) ^ word)
      const bucket = ((hash >>> 16) * BUCKETS) >>> 16
      if (hash < (smallest[bucket] ?? 0)) smallest[bucket] = hash
      beforeLast = last
      last = word
      wordCount++
    }
    this.#last = last
    this.#beforeLast = beforeLast
    this.#wordCount = wordCount
  }

  /** Null if there are too few words. Resets the builder. */
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

/** The number of differing bits. */
export function fingerprintDistance(a: bigint, b: bigint): number {
  const bits = a ^ b
  return countBits(Number(BigInt.asIntN(32, bits))) + countBits(Number(BigInt.asIntN(32, bits >> 32n)))
}

function mix(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
