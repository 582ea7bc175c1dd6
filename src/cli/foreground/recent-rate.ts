// Pages per second over the last few seconds.

const WINDOW_MS = 5000

export class RecentRate {
  readonly #samples: { pages: number; at: number }[] = []

  addSample(pages: number, now: number): number {
    this.#samples.push({ pages, at: now })
    while (this.#samples.length > 2 && now - (this.#samples[0]?.at ?? now) > WINDOW_MS) this.#samples.shift()
    const first = this.#samples[0]
    if (first === undefined || now <= first.at) return 0
    return ((pages - first.pages) * 1000) / (now - first.at)
  }
}
