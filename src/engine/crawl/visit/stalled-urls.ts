// URLs whose processing blocked the thread for so long that it lost its leases. The stall is reported under the next
// lease of the URL, and again under each later lease until the URL's attempts have risen: a report can be lost together
// with its lease.

import type { LeasedUrl } from '../../../ports/leases.ts'

export class StalledUrls {
  /** URL id -> attempts when it stalled. */
  readonly #attempts = new Map<number, number>()

  add({ id, attempts }: LeasedUrl): void {
    this.#attempts.set(id, attempts)
  }

  mustReport({ id, attempts }: LeasedUrl): boolean {
    const before = this.#attempts.get(id)
    if (before !== undefined && before !== attempts) this.#attempts.delete(id)
    return before === attempts
  }
}
