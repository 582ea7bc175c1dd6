// The urls that a commit found, each once, with the shortest of the ways that lead to it.

import type { FoundUrl, Listing, UrlKind } from '../../ports/frontier.ts'

/** Where a url was found: on a url of the ledger (a link or a redirect), or on none, as seeds are. */
export interface Way {
  parent: number | null
  parentHost: number
  depth: number
  hops: number
}

export interface Offer {
  key: bigint
  /** Null for a link that its worker left out, having told of it before: only the way may be news. */
  found: FoundUrl | null
  kind: UrlKind
  way: Way
  rank: number
}

const LAST_RANK = 10

/** Fewer links first, then fewer redirects. */
export function isShorter(way: { depth: number; hops: number }, known: { depth: number; hops: number }): boolean {
  return way.depth < known.depth || (way.depth === known.depth && way.hops < known.hops)
}

export function rankAt(depth: number): number {
  return Math.min(LAST_RANK, depth + 1)
}

export class Offers {
  readonly #offers = new Map<bigint, Offer>()
  readonly listings = new Map<bigint, Listing>()

  add(found: FoundUrl, way: Way): void {
    const { key, kind, listing } = found
    if (listing !== null) this.listings.set(key, listing)
    const known = this.#offers.get(key)
    if (known === undefined) {
      this.#offers.set(key, { key, found, kind, way, rank: rankAt(way.depth) })
      return
    }
    known.found ??= found
    if (kind === 'sitemap') known.kind = kind
    else this.#takeIfShorter(known, way)
  }

  addKey(key: bigint, way: Way): void {
    const known = this.#offers.get(key)
    if (known === undefined) this.#offers.set(key, { key, found: null, kind: 'page', way, rank: rankAt(way.depth) })
    else this.#takeIfShorter(known, way)
  }

  #takeIfShorter(offer: Offer, way: Way): void {
    if (!isShorter(way, offer.way)) return
    offer.way = way
    offer.rank = Math.min(offer.rank, rankAt(way.depth))
  }

  get size(): number {
    return this.#offers.size
  }

  keys(): bigint[] {
    return [...this.#offers.keys()]
  }

  values(): Iterable<Offer> {
    return this.#offers.values()
  }
}
