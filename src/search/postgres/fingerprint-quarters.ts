// Splits 56-bit fingerprints into quarters: two fingerprints that differ in at most three bits share one of four
// quarters.

const BITS = 14n
const MASK = (1n << BITS) - 1n

/** Each quarter is prefixed with its number, so that one array holds all four. */
export function fingerprintQuarters(fingerprint: string | null): number[] {
  if (fingerprint === null) return []
  const bits = BigInt(fingerprint)
  return [0n, 1n, 2n, 3n].map((i) => Number((i << BITS) | ((bits >> (i * BITS)) & MASK)))
}
