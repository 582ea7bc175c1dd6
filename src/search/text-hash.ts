const [FIRST_PRIME, SECOND_PRIME] = [0x85ebca77, 0xc2b2ae3d]

/** A 53-bit hash (cyrb53). Not collision-free: callers compare the text as well where it matters. */
export function textHash(text: string, seed = 0): number {
  let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, FIRST_PRIME)
    low = Math.imul(low ^ code, SECOND_PRIME)
  }
  high = Math.imul(high ^ (low >>> 15), FIRST_PRIME) ^ Math.imul(low ^ (high >>> 13), SECOND_PRIME)
  low = Math.imul(low ^ (high >>> 16), FIRST_PRIME) ^ Math.imul(high ^ (low >>> 15), SECOND_PRIME)
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0)
}
