// Estimates how much of their text two pages share: the share of runs of three words that both have (Jaccard). A sketch
// keeps the smallest hash of each bucket of runs (one permutation hashing); the estimate is within 0.05 mostly.

const BUCKETS = 256
const EMPTY = 0xffff_ffff
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const NUMBER = /^\p{N}+$/u

export type TextSketch = Uint32Array

/** All numbers count as equal. */
export function sketchText(text: string): TextSketch {
  const sketch = new Uint32Array(BUCKETS).fill(EMPTY)
  let [before, last] = [0, 0]
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const current = NUMBER.test(word) ? 1 : hashWord(word)
    const run = mix(Math.imul(before, 31) + Math.imul(last, 17) + current)
    const bucket = run % BUCKETS
    const value = Math.floor(run / BUCKETS)
    if (value < (sketch[bucket] ?? 0)) sketch[bucket] = value
    before = last
    last = current
  }
  return sketch
}

/** 0 to 1. */
export function similarity(a: TextSketch, b: TextSketch): number {
  let [equal, used] = [0, 0]
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const [first, second] = [a[bucket] ?? EMPTY, b[bucket] ?? EMPTY]
    if (first === EMPTY && second === EMPTY) continue
    used += 1
    if (first === second) equal += 1
  }
  return used === 0 ? 0 : equal / used
}

function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return mix(hash)
}

function mix(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
