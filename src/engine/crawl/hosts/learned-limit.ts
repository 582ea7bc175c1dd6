// The concurrency limit of a leased host: lowered by its refusals, raised by good responses.

import { hasConcurrencyLimit } from '../../../ports/frontier.ts'
import { lowerLimit, raiseLimit } from '../../politeness/concurrency-limit.ts'

export class LearnedLimit {
  /** Concurrent requests that the host accepts; 0 if no limit is known. */
  value: number
  readonly #perHost: number
  /** Refusals of requests started before this do not lower the limit again. */
  #loweredAt = Number.NEGATIVE_INFINITY
  /** The limit has changed since the last host report. */
  #hasChanged = false

  constructor(value: number, perHost: number) {
    this.value = value
    this.#perHost = perHost
  }

  /** The host has refused concurrent requests. */
  get isLimited(): boolean {
    return hasConcurrencyLimit(this.value, this.#perHost)
  }

  raise(): void {
    if (!this.isLimited) return
    this.value = raiseLimit(this.value, this.#perHost)
    this.#hasChanged = true
  }

  /** Called when a request that started at `startedAt` was refused, with this many in flight. */
  lower(concurrentRequests: number, startedAt: number, now: number): void {
    if (startedAt <= this.#loweredAt) return
    this.value = lowerLimit(this.value, concurrentRequests)
    this.#loweredAt = now
    this.#hasChanged = true
  }

  /** The change to report with the host; null if nothing was learned since the last report. */
  takeChange(): number | null {
    const change = this.#hasChanged ? this.value : null
    this.#hasChanged = false
    return change
  }
}
