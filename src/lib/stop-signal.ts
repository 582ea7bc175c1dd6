// Tells loops to stop, even while they wait. Racing against one promise for "stopped" would leak: every race leaves a
// reaction of 300 bytes on it, which is freed only when it settles. A server that waits twice a second would lose 50 MB
// per day.

import type { Clock } from './clock.ts'

export class StopSignal {
  readonly #waiting = new Set<() => void>()
  #isStopped = false

  get isStopped(): boolean {
    return this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    for (const wake of this.#waiting) wake()
  }

  /** Waits for the promise, or until stopped. Rejects if the promise does. */
  async waitFor(promise: Promise<unknown>): Promise<void> {
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    await this.#waitUntilWoken(resolve, () => Promise.race([promise, stopped]))
  }

  /** Waits for this time, or until stopped. */
  async sleep(ms: number, clock: Clock): Promise<void> {
    const { promise: passed, resolve } = Promise.withResolvers<void>()
    const cancel = clock.after(ms, resolve)
    await this.#waitUntilWoken(resolve, () => passed)
    cancel()
  }

  async #waitUntilWoken(wake: () => void, wait: () => Promise<unknown>): Promise<void> {
    if (this.#isStopped) wake()
    this.#waiting.add(wake)
    try {
      await wait()
    } finally {
      this.#waiting.delete(wake)
    }
  }
}
