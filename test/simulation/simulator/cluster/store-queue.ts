// The store's end of all links: calls are served one at a time, whole, at the virtual moment they arrive. So a run is
// the same on a store that answers at once and on one across a socket.

import { setImmediate as turn } from 'node:timers/promises'

export class StoreQueue {
  readonly #onFailed: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()
  #pending = 0

  /** Work is not meant to fail: what the store answers to a worker, good or bad, is that worker's. */
  constructor(onFailed: (error: unknown) => void) {
    this.#onFailed = onFailed
  }

  enqueue(work: () => Promise<void>): void {
    this.#pending += 1
    this.#last = this.#last
      .then(work)
      .catch(this.#onFailed)
      .finally(() => {
        this.#pending -= 1
      })
  }

  /** Resolves when everything that can happen at this moment has happened. */
  async waitUntilIdle(): Promise<void> {
    do {
      await this.#last
      await turn()
    } while (this.#pending > 0)
  }
}
