// The URLs found in a commit, each once, with the shortest path to it.

import type { FoundUrl, SitemapListing, UrlKind } from '../ports/frontier.ts'
import { rankAtDepth } from './rank.ts'
import { isShorterPath, type PathLength } from './shortest-path.ts'

/** Where a URL was found: in a URL of the ledger (by a link or a redirect), or nowhere, such as a seed. */
export interface DiscoveryPath extends PathLength {
  parent: number | null
  parentHost: number
}

export interface UrlDiscovery {
  key: bigint
  /** Null for a link that the worker left out because it had reported it before. Only the path may be new. */
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
