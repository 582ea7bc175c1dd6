// Paces requests to hosts other than that of their page, over all crawls of the process: one at a time, with a gap. A
// crawl thread paces the host of the page itself, since it has leased it.

import type { Clock } from '../../lib/clock.ts'
import type { SubresourceResponse } from '../../ports/renderer.ts'

export class HostPacer {
  readonly #clock: Clock
  /** The end of the last request and its gap, by host. */
  readonly #last = new Map<string, Promise<void>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async run(host: string, task: () => Promise<SubresourceResponse>): Promise<SubresourceResponse> {
    const previous = this.#last.get(host)
    const { promise: isOver, resolve } = Promise.withResolvers<void>()
    this.#last.set(host, isOver)
    await previous
    const response = await task()
    this.#clock.after(response.gapMs, () => {
      resolve()
      if (this.#last.get(host) === isOver) this.#last.delete(host)
    })
    return response
  }
}
