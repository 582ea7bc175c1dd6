// The rate of the last minute as a row of bars. The history has one rate per second, newest last.

const HISTORY_SECONDS = 60
const GLYPHS = { unicode: '▁▂▃▄▅▆▇█', ascii: '_.:-=+*#' } as const
// Possible seconds per cell; each divides a minute.
const CELL_SECONDS = [1, 2, 3, 4, 5, 6, 10] as const

export class RateHistory {
  #rates: number[] = []
  #second = -1
  #peak = 0

  add(elapsedMs: number, rate: number): void {
    const second = Math.floor(elapsedMs / 1000)
    if (second !== this.#second) this.#peak = Math.max(this.#peak, this.#rates.at(-1) ?? 0)
    if (second < this.#second || second - this.#second > HISTORY_SECONDS) this.#rates = []
    else if (second === this.#second) this.#rates.pop()
    else while (this.#second >= 0 && ++this.#second < second) this.#rates.push(this.#rates.at(-1) ?? 0)
    this.#second = second
    this.#rates.push(rate)
    if (this.#rates.length > HISTORY_SECONDS) this.#rates.splice(0, this.#rates.length - HISTORY_SECONDS)
  }

  /** The highest rate of a whole second so far. It never falls. */
  get peak(): number {
    return this.#peak
  }

  get rates(): readonly number[] {
    return this.#rates
  }
}

export interface Sparkline {
  text: string
  cells: number
}

/** Fits into `room` columns. `cells` is the fixed width; `text` is shorter during the first minute. */
export function sparkline(
  rates: readonly number[],
  lastSecond: number,
  space: { room: number; unicode: boolean },
): Sparkline {
  const seconds = CELL_SECONDS.find((candidate) => HISTORY_SECONDS / candidate <= space.room)
  if (seconds === undefined) return { text: '', cells: 0 }
  const cells = HISTORY_SECONDS / seconds
  const means = cellMeans(rates, lastSecond, seconds).slice(-cells)
  const glyphs = space.unicode ? GLYPHS.unicode : GLYPHS.ascii
  const peak = Math.max(0, ...means)
  const text = means.map((mean) => glyphs[peak > 0 ? Math.round((mean / peak) * (glyphs.length - 1)) : 0]).join('')
  return { text, cells }
}

/** Cells start at multiples of their length, so that a bar keeps its height as it moves left. */
function cellMeans(rates: readonly number[], lastSecond: number, seconds: number): number[] {
  const sums = new Map<number, { sum: number; n: number }>()
  for (const [index, rate] of rates.entries()) {
    const cell = Math.floor((lastSecond - (rates.length - 1 - index)) / seconds)
    const entry = sums.get(cell) ?? { sum: 0, n: 0 }
    sums.set(cell, { sum: entry.sum + Math.max(0, rate), n: entry.n + 1 })
  }
  return [...sums.values()].map((entry) => entry.sum / entry.n)
}
