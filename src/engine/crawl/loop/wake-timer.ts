import type { Clock } from '../../../lib/clock.ts'

/** A timer that fires at the earliest of the times it was set to. */
export class WakeTimer {
  readonly #clock: Clock
  readonly #onWake: () => void
  #cancel: (() => void) | null = null
  #at = Number.POSITIVE_INFINITY

  constructor(clock: Clock, onWake: () => void) {
    this.#clock = clock
    this.#onWake = onWake
  }

  set(time: number, now: number): void {
    if (time >= this.#at) return
    this.#cancel?.()
    this.#at = time
    this.#cancel = this.#clock.after(Math.max(0, time - now), () => {
      this.cancel()
      this.#onWake()
    })
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#at = Number.POSITIVE_INFINITY
  }
}
