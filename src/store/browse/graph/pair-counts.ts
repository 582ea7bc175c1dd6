// The number of links from one group to another. For a few thousand groups a table of all pairs is a third faster than
// a map (2026-11). Memory is bounded: with more groups only the first pairs are counted, more than any result has.

const MAX_TABLE = 10_000_000
const MAX_PAIRS = 1_000_000

export interface GroupPair {
  from: number
  to: number
  links: number
}

export class PairCounts {
  readonly #groups: number
  readonly #maxPairs: number
  readonly #table: Uint32Array | null
  readonly #map = new Map<number, number>()

  constructor(groups: number, maxPairs = MAX_PAIRS) {
    this.#groups = groups
    this.#maxPairs = maxPairs
    this.#table = groups * groups <= MAX_TABLE ? new Uint32Array(groups * groups) : null
  }

  add(from: number, to: number): void {
    const pair = from * this.#groups + to
    if (this.#table !== null) {
      this.#table[pair] = (this.#table[pair] ?? 0) + 1
      return
    }
    const known = this.#map.get(pair)
    if (known !== undefined || this.#map.size < this.#maxPairs) this.#map.set(pair, (known ?? 0) + 1)
  }

  /** The pairs with the most links, and the total number of pairs. */
  mostLinked(most: number): { pairs: GroupPair[]; total: number } {
    const { least, ofLeast, total } = this.#measure(most)
    const pairs: GroupPair[] = []
    let left = ofLeast
    this.#each((pair, links) => {
      if (links < least || (links === least && left === 0)) return
      if (links === least) left -= 1
      pairs.push({ from: Math.floor(pair / this.#groups), to: pair % this.#groups, links })
    })
    return { pairs: pairs.sort((a, b) => b.links - a.links), total }
  }

  /** The fewest links of a pair in the result, and how many pairs with as few there is room for. */
  #measure(most: number): { least: number; ofLeast: number; total: number } {
    const pairsWith = new Map<number, number>()
    let total = 0
    this.#each((_, links) => {
      pairsWith.set(links, (pairsWith.get(links) ?? 0) + 1)
      total += 1
    })
    let [least, ofLeast, room] = [0, 0, most]
    for (const [links, pairs] of [...pairsWith].sort(([a], [b]) => b - a)) {
      least = links
      ofLeast = room
      room -= pairs
      if (room <= 0) break
    }
    return { least, ofLeast, total }
  }

  #each(call: (pair: number, links: number) => void): void {
    if (this.#table === null) {
      for (const [pair, links] of this.#map) call(pair, links)
      return
    }
    for (let pair = 0; pair < this.#table.length; pair++) {
      const links = this.#table[pair] ?? 0
      if (links > 0) call(pair, links)
    }
  }
}
