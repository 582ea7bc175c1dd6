// A 64-bit key of a canonical url. Two lanes of 32-bit multiply-rotate, because JavaScript has no fast 64-bit
// integers; seeded per crawl, so that no site can make its urls collide with others on purpose. Two of ten million
// urls share a key by chance once in some 370,000 crawls.

export interface KeyLanes {
  hi: number
  lo: number
}

/** Writes the key into `out`, so that the hot path makes no object per link. Canonical urls are ASCII: 4 to a word. */
export function hashUrl(url: string, seed: number, out: KeyLanes): void {
  let a = 0x9e3779b9 ^ seed
  let b = 0x85ebca6b ^ Math.imul(seed, 0x27d4eb2f)
  const length = url.length
  const whole = length & ~3
  let i = 0
  for (; i < whole; i += 4) {
    const word =
      url.charCodeAt(i) | (url.charCodeAt(i + 1) << 8) | (url.charCodeAt(i + 2) << 16) | (url.charCodeAt(i + 3) << 24)
    a = Math.imul(a ^ word, 0x9e3779b1)
    a = (a << 15) | (a >>> 17)
    b = Math.imul(b ^ word, 0x85ebca77)
    b = (b << 13) | (b >>> 19)
  }
  for (; i < length; i++) {
    const c = url.charCodeAt(i)
    a = Math.imul(a ^ c, 0x9e3779b1)
    a = (a << 15) | (a >>> 17)
    b = Math.imul(b ^ c, 0x85ebca77)
    b = (b << 13) | (b >>> 19)
  }
  a = mix(a ^ length)
  b = mix(b + a)
  out.lo = a >>> 0
  out.hi = b >>> 0
}

export function urlKey(url: string, seed: number): bigint {
  const lanes = { hi: 0, lo: 0 }
  hashUrl(url, seed, lanes)
  return lanesToKey(lanes)
}

export function lanesToKey(lanes: KeyLanes): bigint {
  return BigInt.asIntN(64, (BigInt(lanes.hi) << 32n) | BigInt(lanes.lo))
}

function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
