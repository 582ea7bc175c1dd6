// Whether the crawl of this process stands still, and why. Whoever needs it to (the disk is full, something else cannot
// keep up) takes a hold and gives it back; several may hold at a time, and the oldest is the one that is told.

import type { HoldReason } from '../../ports/hold-reasons.ts'

export class Holds {
  readonly #holds = new Set<{ reason: HoldReason }>()
  readonly #listeners = new Set<(held: HoldReason | null) => void>()
  #held: HoldReason | null = null

  get held(): HoldReason | null {
    return this.#held
  }

  /** Calls back now, and whenever the answer changes, until the function returned is called. */
  watch(listener: (held: HoldReason | null) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#held)
    return () => this.#listeners.delete(listener)
  }

  /** Until the function returned is called. */
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
    const held = oldest?.reason ?? null
    if (held === this.#held) return
    this.#held = held
    for (const listener of this.#listeners) listener(held)
  }
}
