// One client of the event stream: its pending events, at most one per crawl.

import type { Clock } from '../../lib/clock.ts'

export interface SseEvent {
  event: 'crawl' | 'removed'
  crawlId: string
  data: string
}

const RETRY_MS = 2000
const HEARTBEAT_MS = 15_000
/** Streams end after this time. Clients reconnect by themselves and are authorized again. */
const MAX_AGE_MS = 600_000
/** Half of the poll interval: an event may be early by this much, to be late by no more. */
const MAX_EARLY_MS = 500

export class EventStream {
  readonly #intervalMs: number
  readonly #clock: Clock
  readonly #pending = new Map<string, SseEvent>()
  readonly #sentAt = new Map<string, number>()
  readonly #onEnd: () => void
  #wake: () => void = () => undefined
  #isEnded = false
  #count = 0

  /** `onEnd` is called exactly once, whether or not anyone reads all the frames. */
  constructor(intervalMs: number, clock: Clock, onEnd: () => void) {
    this.#intervalMs = intervalMs
    this.#clock = clock
    this.#onEnd = onEnd
  }

  /** Whether the interval since the last event of this crawl has passed. */
  isDue(crawlId: string): boolean {
    const sentAt = this.#sentAt.get(crawlId)
    return sentAt === undefined || this.#clock.now() - sentAt >= this.#intervalMs - MAX_EARLY_MS
  }

  push(event: SseEvent): void {
    this.#pending.set(event.crawlId, event)
    if (event.event === 'removed') this.#sentAt.delete(event.crawlId)
    else this.#sentAt.set(event.crawlId, this.#clock.now())
    this.#wake()
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#onEnd()
    this.#wake()
  }

  async *frames(): AsyncGenerator<string, void, void> {
    const endsAt = this.#clock.now() + MAX_AGE_MS
    yield `retry: ${RETRY_MS}\n\n`
    while (!this.#isEnded && this.#clock.now() < endsAt) {
      const [next] = this.#pending.values()
      if (next === undefined) {
        const hasEvent = await this.#waitForEvent()
        if (!hasEvent && !this.#isEnded) yield ': still here\n\n'
        continue
      }
      this.#pending.delete(next.crawlId)
      this.#count += 1
      yield `id: ${this.#clock.now()}-${this.#count}\nevent: ${next.event}\ndata: ${next.data}\n\n`
    }
  }

  /** False if no event came within HEARTBEAT_MS. */
  #waitForEvent(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(HEARTBEAT_MS, () => resolve(false))
      this.#wake = () => {
        cancel()
        resolve(true)
      }
    })
  }
}
