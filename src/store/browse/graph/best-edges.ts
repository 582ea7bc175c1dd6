// A bounded number of edges between URLs: those with two well linked ends stay. Memory is bounded by twice the limit,
// however many come.

export class BestEdges {
  readonly #limit: number
  readonly #inlinks: Uint32Array
  #edges: [from: number, to: number][] = []
  #added = 0

  /** Inlinks by position, read when there are too many edges. */
  constructor(limit: number, inlinks: Uint32Array) {
    this.#limit = limit
    this.#inlinks = inlinks
  }

  get added(): number {
    return this.#added
  }

  get isCut(): boolean {
    return this.#added > this.#limit
  }

  add(from: number, to: number): void {
    this.#added += 1
    if (this.#limit === 0) return
    this.#edges.push([from, to])
    if (this.#edges.length >= 2 * this.#limit) this.#cut()
  }

  clear(): void {
    this.#edges = []
    this.#added = 0
  }

  /** Ordered by their first end. */
  list(): [from: number, to: number][] {
    if (this.#edges.length > this.#limit) this.#cut()
    return this.#edges
  }

  #cut(): void {
    const worth = ([from, to]: [number, number]) => Math.min(this.#inlinks[from] ?? 0, this.#inlinks[to] ?? 0)
    const order = this.#edges.map((edge, at) => ({ edge, at, worth: worth(edge) }))
    const best = order.sort((a, b) => b.worth - a.worth || a.at - b.at).slice(0, this.#limit)
    this.#edges = best.sort((a, b) => a.at - b.at).map(({ edge }) => edge)
  }
}
