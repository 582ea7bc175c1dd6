// Reproducible random numbers: the same seed gives the same sequence on every machine.

export interface SeededRandom {
  /** Returns a number in [0, 1). */
  next(): number
  /** A whole number in [0, limit). */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** mulberry32; 32 bits of state are enough for test data. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick(list) {
      if (list.length === 0) throw new RangeError('cannot pick from an empty list')
      return list[below(list.length)] as (typeof list)[number]
    },
  }
}
