// Fingerprints as two halves of 28 bits, which fit small integers.

import { countBits } from '../../lib/count-bits.ts'

export interface FingerprintHalves {
  high: number
  low: number
}

const HALF_BITS = 28n
const HALF_MASK = (1n << HALF_BITS) - 1n

/** Parses a 56-bit integer in decimal. */
export function parseFingerprint(fingerprint: string | null): FingerprintHalves | null {
  if (fingerprint === null) return null
  const bits = BigInt(fingerprint)
  return { high: Number((bits >> HALF_BITS) & HALF_MASK), low: Number(bits & HALF_MASK) }
}

/** Number of differing bits. */
export function hammingDistance(a: FingerprintHalves, b: FingerprintHalves): number {
  return countBits(a.high ^ b.high) + countBits(a.low ^ b.low)
}

/**
 * The half and all halves that differ from it in one bit. If two fingerprints differ in at most three bits, one pair of
 * their halves differs in at most one.
 */
export function nearbyHalves(half: number): number[] {
  return [half, ...Array.from({ length: Number(HALF_BITS) }, (_, bit) => half ^ (1 << bit))]
}

const QUARTER_BITS = 14
const QUARTER_MASK = (1 << QUARTER_BITS) - 1

/** The quarters with their indices. Two fingerprints that differ in at most three bits share a quarter. */
export function quartersOf({ high, low }: FingerprintHalves): number[] {
  const quarters = [high >> QUARTER_BITS, high & QUARTER_MASK, low >> QUARTER_BITS, low & QUARTER_MASK]
  return quarters.map((quarter, i) => quarter * 4 + i)
}
