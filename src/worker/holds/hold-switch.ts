// A hold that is on while a condition lasts, with the reason that applies.

import type { HoldReason } from '../../ports/hold-reasons.ts'
import type { Holds } from './holds.ts'

export class HoldSwitch {
  readonly #holds: Pick<Holds, 'take'>
  #current: { reason: HoldReason; release: () => void } | null = null

  constructor(holds: Pick<Holds, 'take'>) {
    this.#holds = holds
  }

  get isOn(): boolean {
    return this.#current !== null
  }

  /** Takes a hold for the reason, or releases it if null. The new hold is taken before the old one is released. */
  set(reason: HoldReason | null): void {
    const previous = this.#current
    if (reason === (previous?.reason ?? null)) return
    this.#current = reason === null ? null : { reason, release: this.#holds.take(reason) }
    previous?.release()
  }
}
