// A histogram with fixed bounds: exact up to 64, then 32 buckets per doubling, so that a percentile is at most 3% too
// low.

const EXACT = 64
const PER_DOUBLING = 32
const FIRST_DOUBLING = Math.log2(EXACT)

export class Histogram {
  readonly #counts: number[] = []
  count = 0
  max = 0
  total = 0

  add(value: number): void {
    const bucket = bucketOf(value)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.count += 1
    this.total += value
    if (value > this.max) this.max = value
  }

  /** The value that this share of them does not exceed; 0 if there is none. */
  percentile(part: number): number {
    let left = Math.ceil(this.count * part)
    for (const [bucket, count = 0] of this.#counts.entries()) {
      left -= count
      if (left <= 0) return Math.min(this.max, lowestOf(bucket))
    }
    return 0
  }
}

function bucketOf(value: number): number {
  const whole = Math.max(0, Math.round(value))
  if (whole < EXACT) return whole
  return EXACT + Math.floor((Math.log2(whole) - FIRST_DOUBLING) * PER_DOUBLING)
}

function lowestOf(bucket: number): number {
  return bucket < EXACT ? bucket : Math.ceil(EXACT * 2 ** ((bucket - EXACT) / PER_DOUBLING))
}
