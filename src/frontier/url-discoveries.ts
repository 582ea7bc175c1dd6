// The URLs found in a commit, each once, with the shortest path to it.

import type { FoundListing, FoundUrl, SignalKind, UrlKind } from '../ports/visits.ts'
import { isStrongerKind } from './kind-changes.ts'
import { rankAtDepth, rankOf } from './rank.ts'
import { isShorterPath, type PathLength } from './shortest-path.ts'

/** Where a URL was found: in a URL of the ledger (by a link or a redirect), or not in a URL at all: a seed. */
export interface DiscoveryPath extends PathLength {
  parent: number | null
  parentHost: number
}

export interface UrlDiscovery {
  key: bigint
  /** Null for a link that the thread left out because it had reported it before. Only the path may be new. */
  found: FoundUrl | null
  kind: UrlKind
  path: DiscoveryPath
  rank: number
  /** The URL is named only by scripts. */
  isFromScript: boolean
  /** The URL is a requisite of a page; it may also be linked. */
  isLoaded: boolean
}

export class UrlDiscoveries {
  readonly #byKey = new Map<bigint, UrlDiscovery>()
  /** Listings by source: a sitemap and a feed may list the same URL. */
  readonly listings: Record<SignalKind, Map<bigint, FoundListing>> = { sitemap: new Map(), feed: new Map() }
  readonly #now: number

  constructor(now: number) {
    this.#now = now
  }

  /** `rank` replaces the rank that follows from the URL and its path. */
  add(found: FoundUrl, path: DiscoveryPath, rank: number | null = null): void {
    const { key, kind, listing } = found
    if (listing !== null) this.listings[listing.source].set(key, listing)
    const known = this.#byKey.get(key)
    const isFromScript = found.isFromScript === true
    const isLoaded = kind === 'requisite'
    if (known === undefined) {
      const itsRank = rank ?? rankOf(found, path.depth, this.#now)
      this.#byKey.set(key, { key, found, kind, path, rank: itsRank, isFromScript, isLoaded })
      return
    }
    known.found ??= found
    known.isLoaded ||= isLoaded
    if (kind !== 'requisite') known.isFromScript = isFromScript && (known.isFromScript || known.kind === 'requisite')
    if (kind === 'sitemap') known.kind = kind
    else this.#merge(known, kind, path)
  }

  /** `kind`: of the URL that leads there. */
  addKey(key: bigint, path: DiscoveryPath, kind: UrlKind): void {
    const known = this.#byKey.get(key)
    if (known === undefined) {
      const isLoaded = kind === 'requisite'
      this.#byKey.set(key, {
        key,
        found: null,
        kind,
        path,
        rank: rankAtDepth(path.depth),
        isFromScript: false,
        isLoaded,
      })
      return
    }
    if (kind !== 'requisite') known.isFromScript = false
    else known.isLoaded = true
    this.#merge(known, kind, path)
  }

  /** The path of a requisite says nothing about the depth of a page. */
  #merge(known: UrlDiscovery, kind: UrlKind, path: DiscoveryPath): void {
    if (kind === 'requisite' && known.kind !== 'requisite') return
    if (known.kind === 'requisite' && isStrongerKind(kind, known.kind)) {
      const found = known.found === null ? null : { ...known.found, kind }
      const rank = found === null ? rankAtDepth(path.depth) : rankOf(found, path.depth, this.#now)
      this.#byKey.set(known.key, { ...known, found, kind, path, rank })
    } else this.#replaceIfShorter(known, path)
  }

  #replaceIfShorter(urlDiscovery: UrlDiscovery, path: DiscoveryPath): void {
    if (!isShorterPath(path, urlDiscovery.path)) return
    urlDiscovery.path = path
    const { found } = urlDiscovery
    const rank = found === null ? rankAtDepth(path.depth) : rankOf(found, path.depth, this.#now)
    urlDiscovery.rank = Math.min(urlDiscovery.rank, rank)
  }

  get size(): number {
    return this.#byKey.size
  }

  keys(): bigint[] {
    return [...this.#byKey.keys()]
  }

  values(): Iterable<UrlDiscovery> {
    return this.#byKey.values()
  }
}
