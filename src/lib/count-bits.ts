/** The number of set bits in a 32-bit integer. */
export function countBits(value: number): number {
  value -= (value >>> 1) & 0x5555_5555
  value = (value & 0x3333_3333) + ((value >>> 2) & 0x3333_3333)
  return Math.imul((value + (value >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}
