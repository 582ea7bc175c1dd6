// Request timing of a host, from the starts and ends of its visits.

import type { HostPoliteness } from '../../ports/diagnostics.ts'

export class RequestTiming {
  #requests = 0
  #smallestGapMs: number | null = null
  #peak = 0
  #lastStart: number | null = null
  #underWay: number[] = []

  /** Adds one request. Requests come in order of their start. */
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
