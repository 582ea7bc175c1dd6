// How a host was treated, from the starts and ends of the visits to it.

import type { HostPoliteness } from '../../ports/diagnostics.ts'

export class RequestTiming {
  #requests = 0
  #smallestGapMs: number | null = null
  #peak = 0
  #lastStart: number | null = null
  #underWay: number[] = []

  /** One request; they come in the order of their starts. */
  add(start: number, end: number): void {
    this.#requests += 1
    if (this.#lastStart !== null) {
      this.#smallestGapMs = Math.min(this.#smallestGapMs ?? Number.POSITIVE_INFINITY, start - this.#lastStart)
    }
    this.#lastStart = start
    this.#underWay = this.#underWay.filter((other) => other > start)
    this.#underWay.push(end)
    this.#peak = Math.max(this.#peak, this.#underWay.length)
  }

  get result(): Pick<HostPoliteness, 'requests' | 'smallestGapMs' | 'peak'> {
    return { requests: this.#requests, smallestGapMs: this.#smallestGapMs, peak: this.#peak }
  }
}
