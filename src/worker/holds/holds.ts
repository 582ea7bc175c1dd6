// The holds of a process. While at least one is taken, its crawls start no requests. Several can be taken at the same
// time; the oldest one is shown.

import type { HoldReason } from '../../ports/hold-reasons.ts'

export class Holds {
  readonly #holds = new Set<{ reason: HoldReason }>()
  readonly #listeners = new Set<(reason: HoldReason | null) => void>()
  #reason: HoldReason | null = null

  get reason(): HoldReason | null {
    return this.#reason
  }

  /** Calls the listener now and on every change. Returns a function that removes it. */
  subscribe(listener: (reason: HoldReason | null) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#reason)
    return () => this.#listeners.delete(listener)
  }

  /** Returns a function that releases the hold. */
  take(reason: HoldReason): () => void {
    const hold = { reason }
    this.#holds.add(hold)
    this.#update()
    return () => {
      this.#holds.delete(hold)
      this.#update()
    }
  }

  #update(): void {
    const [oldest] = this.#holds
    const reason = oldest?.reason ?? null
    if (reason === this.#reason) return
    this.#reason = reason
    for (const listener of this.#listeners) listener(reason)
  }
}
