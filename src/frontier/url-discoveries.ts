// The urls that a commit found, each once, with the shortest of the ways that lead to it.

import type { FoundUrl, SitemapListing, UrlKind } from '../ports/frontier.ts'
import { rankAtDepth } from './rank.ts'
import { isShorterPath, type PathLength } from './shortest-path.ts'

/** Where a url was found: on a url of the ledger (a link or a redirect), or on none, as seeds are. */
export interface DiscoveryPath extends PathLength {
  parent: number | null
  parentHost: number
}

export interface UrlDiscovery {
  key: bigint
  /** Null for a link that its worker left out, having told of it before: only the way may be news. */
  found: FoundUrl | null
  kind: UrlKind
  path: DiscoveryPath
  rank: number
}

export class UrlDiscoveries {
  readonly #offers = new Map<bigint, UrlDiscovery>()
  readonly listings = new Map<bigint, SitemapListing>()

  add(found: FoundUrl, discoveryPath: DiscoveryPath): void {
    const { key, kind, listing } = found
    if (listing !== null) this.listings.set(key, listing)
    const known = this.#offers.get(key)
    if (known === undefined) {
      this.#offers.set(key, { key, found, kind, path: discoveryPath, rank: rankAtDepth(discoveryPath.depth) })
      return
    }
    known.found ??= found
    if (kind === 'sitemap') known.kind = kind
    else this.#replaceIfShorter(known, discoveryPath)
  }

  addKey(key: bigint, discoveryPath: DiscoveryPath): void {
    const known = this.#offers.get(key)
    if (known === undefined)
      this.#offers.set(key, {
        key,
        found: null,
        kind: 'page',
        path: discoveryPath,
        rank: rankAtDepth(discoveryPath.depth),
      })
    else this.#replaceIfShorter(known, discoveryPath)
  }

  #replaceIfShorter(urlDiscovery: UrlDiscovery, discoveryPath: DiscoveryPath): void {
    if (!isShorterPath(discoveryPath, urlDiscovery.path)) return
    urlDiscovery.path = discoveryPath
    urlDiscovery.rank = Math.min(urlDiscovery.rank, rankAtDepth(discoveryPath.depth))
  }

  get size(): number {
    return this.#offers.size
  }

  keys(): bigint[] {
    return [...this.#offers.keys()]
  }

  values(): Iterable<UrlDiscovery> {
    return this.#offers.values()
  }
}
