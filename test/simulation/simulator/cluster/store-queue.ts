// The store's end of all links: calls are served one at a time, completely, at the virtual time they arrive. So a run
// is the same on a store that replies at once and on a store across a socket.

import { setImmediate as turn } from 'node:timers/promises'

export class StoreQueue {
  readonly #onFailed: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()
  #pending = 0

  /** Tasks should not fail: an error of the store is passed to the worker that called it. */
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

  /** Resolves when everything that can happen at this virtual time has happened. */
  async waitUntilIdle(): Promise<void> {
    do {
      await this.#last
      await turn()
    } while (this.#pending > 0)
  }
}
