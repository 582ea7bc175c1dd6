// What was read on the hosts visited last. All sets together are bounded; the host longest unvisited is forgotten first.

import { ShingleSet } from './shingle-set.ts'

const MAX_SET = 1 << 15
/** Entries over all hosts: 10 MB. */
const MAX_ENTRIES = 1 << 21

export class TextMemory {
  readonly #sets = new Map<string, ShingleSet>()
  #entries = 0

  /** Lends the set of a host to `use`, which may make it grow. */
  with<T>(host: string, use: (seen: ShingleSet) => T): T {
    const known = this.#sets.get(host)
    if (known !== undefined) {
      this.#sets.delete(host)
      this.#entries -= known.size
    }
    const set = known ?? new ShingleSet(MAX_SET)
    const answer = use(set)
    this.#sets.set(host, set)
    this.#entries += set.size
    for (const [oldest, { size }] of this.#sets) {
      if (this.#entries <= MAX_ENTRIES) break
      this.#sets.delete(oldest)
      this.#entries -= size
    }
    return answer
  }

  get entries(): number {
    return this.#entries
  }
}
