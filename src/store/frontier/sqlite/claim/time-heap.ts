// A binary min-heap of (time, value). Entries are never removed early: the owner ignores outdated ones.

export class TimeHeap<T> {
  readonly #times: number[] = []
  readonly #values: T[] = []

  peekTime(): number | null {
    return this.#times[0] ?? null
  }

  push(time: number, value: T): void {
    const times = this.#times
    const values = this.#values
    let i = times.length
    times.push(time)
    values.push(value)
    while (i > 0) {
      const parent = (i - 1) >> 1
      if ((times[parent] as number) <= time) break
      times[i] = times[parent] as number
      values[i] = values[parent] as T
      i = parent
    }
    times[i] = time
    values[i] = value
  }

  /** Removes and returns the earliest value if it is due. */
  popDue(now: number): T | undefined {
    const first = this.#times[0]
    if (first === undefined || first > now) return undefined
    const value = this.#values[0]
    const lastTime = this.#times.pop() as number
    const lastValue = this.#values.pop() as T
    if (this.#times.length > 0) this.#sink(lastTime, lastValue)
    return value
  }

  #sink(time: number, value: T): void {
    const times = this.#times
    const values = this.#values
    const size = times.length
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= size) break
      if (child + 1 < size && (times[child + 1] as number) < (times[child] as number)) child += 1
      if ((times[child] as number) >= time) break
      times[i] = times[child] as number
      values[i] = values[child] as T
      i = child
    }
    times[i] = time
    values[i] = value
  }
}
