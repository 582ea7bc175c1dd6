// A 64-bit key of a canonical URL: the hash of its origin, continued over the rest, so that the links of a page to its
// own origin start from that hash. Two lanes of 32-bit multiply-rotate, because JavaScript has no fast 64-bit integers;
// seeded per crawl, so that no site can cause collisions on purpose. Two of ten million URLs share a key by chance once
// in some 370,000 crawls.

import { pathStart } from '../../lib/path-pattern.ts'

export { pathStart } from '../../lib/path-pattern.ts'

export interface KeyLanes {
  hi: number
  lo: number
}

/** Hashes an origin such as http://example.com, without the slash. */
export function hashOrigin(origin: string, seed: number, out: KeyLanes): void {
  out.lo = 0x9e3779b9 ^ seed
  out.hi = 0x85ebca6b ^ Math.imul(seed, 0x27d4eb2f)
  hashOn(origin, out.lo, out.hi, out)
}

/**
 * The key of origin + rest, where `rest` is path and query. Writes into `out`: the hot path allocates nothing per link.
 */
export function hashPath(rest: string, origin: KeyLanes, out: KeyLanes): void {
  hashOn(rest, origin.lo, origin.hi, out)
}

/** Canonical URLs are ASCII, so four characters make a word. */
function hashOn(text: string, a: number, b: number, out: KeyLanes): void {
  const length = text.length
  const whole = length & ~3
  let i = 0
  for (; i < whole; i += 4) {
    const word =
      text.charCodeAt(i) |
      (text.charCodeAt(i + 1) << 8) |
      (text.charCodeAt(i + 2) << 16) |
      (text.charCodeAt(i + 3) << 24)
    a = Math.imul(a ^ word, 0x9e3779b1)
    a = (a << 15) | (a >>> 17)
    b = Math.imul(b ^ word, 0x85ebca77)
    b = (b << 13) | (b >>> 19)
  }
  for (; i < length; i++) {
    const c = text.charCodeAt(i)
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

export function hashUrl(url: string, seed: number, out: KeyLanes): void {
  const at = pathStart(url)
  hashOrigin(url.slice(0, at), seed, out)
  hashPath(url.slice(at), out, out)
}

export function urlKey(url: string, seed: number): bigint {
  const lanes = { hi: 0, lo: 0 }
  hashUrl(url, seed, lanes)
  return lanesToKey(lanes)
}

export function lanesToKey(lanes: KeyLanes): bigint {
  return BigInt.asIntN(64, (BigInt(lanes.hi) << 32n) | BigInt(lanes.lo))
}

export function keyToLanes(key: bigint, out: KeyLanes): void {
  out.hi = Number(BigInt.asUintN(32, key >> 32n))
  out.lo = Number(BigInt.asUintN(32, key))
}

function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
