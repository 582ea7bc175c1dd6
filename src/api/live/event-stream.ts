// Who reads a stream of events: what it shall get next, one event a crawl at most.

import type { Clock } from '../../lib/clock.ts'

export interface SseEvent {
  event: 'crawl' | 'removed'
  crawlId: string
  data: string
}

const RETRY_MS = 2000
const HEARTBEAT_MS = 15_000
/** A stream ends after a while; its reader comes again by itself, and is asked again who it is. */
const MAX_AGE_MS = 600_000
/** Looks come once a second: half of one early rather than half of one late. */
const MAX_EARLY_MS = 500

export class EventStream {
  readonly #intervalMs: number
  readonly #clock: Clock
  readonly #pending = new Map<string, SseEvent>()
  readonly #sentAt = new Map<string, number>()
  #wake: () => void = () => undefined
  #isEnded = false
  #count = 0

  constructor(intervalMs: number, clock: Clock) {
    this.#intervalMs = intervalMs
    this.#clock = clock
  }

  /** It is time to hear of this crawl again. */
  isDue(crawlId: string): boolean {
    const toldAt = this.#sentAt.get(crawlId)
    return toldAt === undefined || this.#clock.now() - toldAt >= this.#intervalMs - MAX_EARLY_MS
  }

  push(event: SseEvent): void {
    this.#pending.set(event.crawlId, event)
    if (event.event === 'removed') this.#sentAt.delete(event.crawlId)
    else this.#sentAt.set(event.crawlId, this.#clock.now())
    this.#wake()
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  async *frames(): AsyncGenerator<string, void, void> {
    const endsAt = this.#clock.now() + MAX_AGE_MS
    yield `retry: ${RETRY_MS}\n\n`
    while (!this.#isEnded && this.#clock.now() < endsAt) {
      const [next] = this.#pending.values()
      if (next === undefined) {
        const hasNews = await this.#waitForEvent()
        if (!hasNews && !this.#isEnded) yield ': still here\n\n'
        continue
      }
      this.#pending.delete(next.crawlId)
      this.#count += 1
      yield `id: ${this.#clock.now()}-${this.#count}\nevent: ${next.event}\ndata: ${next.data}\n\n`
    }
  }

  /** False: nothing came for a while. */
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
