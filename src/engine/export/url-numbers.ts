// Maps URLs to numbers, in the memory of two numbers per URL. URLs are compared by 52 bits of their hash: among ten
// million URLs, two have the same bits in one of a hundred exports, and then one of them is missing.

import { hashUrl, type KeyLanes } from '../url/url-key.ts'

const LOW_BITS = 2 ** 32

export class UrlNumbers {
  readonly #numbers = new Map<number, number>()
  readonly #lanes: KeyLanes = { hi: 0, lo: 0 }
  readonly #seed: number

  /** A seed that no site knows, so that none can cause collisions. */
  constructor(seed: number) {
    this.#seed = seed
  }

  get(url: string): number | undefined {
    return this.#numbers.get(this.#key(url))
  }

  /** Keeps the larger number. */
  raise(url: string, number: number): void {
    const key = this.#key(url)
    const known = this.#numbers.get(key)
    if (known === undefined || number > known) this.#numbers.set(key, number)
  }

  #key(url: string): number {
    hashUrl(url, this.#seed, this.#lanes)
    return (this.#lanes.hi >>> 12) * LOW_BITS + this.#lanes.lo
  }
}
