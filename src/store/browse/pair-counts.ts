// How many links lead from one group to another. For some thousand groups a table of all pairs is a third faster than a
// map, 2026-11.

const MAX_TABLE = 4_000_000

export class PairCounts {
  readonly #groups: number
  readonly #table: Uint32Array | null
  readonly #map = new Map<number, number>()

  constructor(groups: number) {
    this.#groups = groups
    this.#table = groups * groups <= MAX_TABLE ? new Uint32Array(groups * groups) : null
  }

  add(from: number, to: number): void {
    const pair = from * this.#groups + to
    if (this.#table !== null) this.#table[pair] = (this.#table[pair] ?? 0) + 1
    else this.#map.set(pair, (this.#map.get(pair) ?? 0) + 1)
  }

  *entries(): Generator<{ from: number; to: number; links: number }> {
    for (const [pair, links] of this.#table?.entries() ?? this.#map.entries()) {
      if (links > 0) yield { from: Math.floor(pair / this.#groups), to: pair % this.#groups, links }
    }
  }
}
