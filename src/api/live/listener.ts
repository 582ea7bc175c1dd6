// Who reads a stream of events: what it shall get next, one event a crawl at most.

import type { Clock } from '../../lib/clock.ts'

export interface LiveEvent {
  event: 'crawl' | 'removed'
  crawlId: string
  data: string
}

const RETRY_MS = 2000
const HEARTBEAT_MS = 15_000
/** A stream ends after a while; its reader comes again by itself, and is asked again who it is. */
const MAX_AGE_MS = 600_000
/** Looks come once a second: half of one early rather than half of one late. */
const EARLY_MS = 500

export class Listener {
  readonly #intervalMs: number
  readonly #clock: Clock
  readonly #waiting = new Map<string, LiveEvent>()
  readonly #toldAt = new Map<string, number>()
  #wake: () => void = () => undefined
  #isOver = false
  #count = 0

  constructor(intervalMs: number, clock: Clock) {
    this.#intervalMs = intervalMs
    this.#clock = clock
  }

  /** It is time to hear of this crawl again. */
  wants(crawlId: string): boolean {
    const toldAt = this.#toldAt.get(crawlId)
    return toldAt === undefined || this.#clock.now() - toldAt >= this.#intervalMs - EARLY_MS
  }

  hear(event: LiveEvent): void {
    this.#waiting.set(event.crawlId, event)
    if (event.event === 'removed') this.#toldAt.delete(event.crawlId)
    else this.#toldAt.set(event.crawlId, this.#clock.now())
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  async *texts(): AsyncGenerator<string, void, void> {
    const endsAt = this.#clock.now() + MAX_AGE_MS
    yield `retry: ${RETRY_MS}\n\n`
    while (!this.#isOver && this.#clock.now() < endsAt) {
      const [next] = this.#waiting.values()
      if (next === undefined) {
        const hasNews = await this.#news()
        if (!hasNews && !this.#isOver) yield ': still here\n\n'
        continue
      }
      this.#waiting.delete(next.crawlId)
      this.#count += 1
      yield `id: ${this.#clock.now()}-${this.#count}\nevent: ${next.event}\ndata: ${next.data}\n\n`
    }
  }

  /** False: nothing came for a while. */
  #news(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(HEARTBEAT_MS, () => resolve(false))
      this.#wake = () => {
        cancel()
        resolve(true)
      }
    })
  }
}
