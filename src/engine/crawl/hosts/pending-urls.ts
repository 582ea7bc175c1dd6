// The claimed URLs of a leased host whose requests have not started, in the order in which they are requested.

import type { LeasedUrl } from '../../../ports/leases.ts'

export class PendingUrls {
  #urls: LeasedUrl[]
  #nextIndex = 0

  constructor(urls: LeasedUrl[]) {
    this.#urls = urls
  }

  get size(): number {
    return this.#urls.length - this.#nextIndex
  }

  get next(): LeasedUrl | undefined {
    return this.#urls[this.#nextIndex]
  }

  list(): readonly LeasedUrl[] {
    return this.#urls.slice(this.#nextIndex)
  }

  add(urls: LeasedUrl[]): void {
    this.#urls = this.size === 0 ? urls : [...this.list(), ...urls]
    this.#nextIndex = 0
  }

  /** Removes the next one. */
  take(): void {
    this.#nextIndex += 1
  }

  /** Returns how many there were. */
  clear(): number {
    const { size } = this
    this.#urls = []
    this.#nextIndex = 0
    return size
  }
}
