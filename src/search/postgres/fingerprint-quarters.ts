// Fingerprints of 56 bits that differ in at most three agree in one of their four quarters.

const BITS = 14n
const MASK = (1n << BITS) - 1n

/** Each quarter with its number in front, so that one list holds all four. */
export function fingerprintQuarters(fingerprint: string | null): number[] {
  if (fingerprint === null) return []
  const print = BigInt(fingerprint)
  return [0n, 1n, 2n, 3n].map((i) => Number((i << BITS) | ((print >> (i * BITS)) & MASK)))
}
