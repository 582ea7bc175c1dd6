// Depths are lengths of shortest paths (G7): the rules by which both stores compare paths and extend them.

import { type FoundUrl, HOPS_PER_IMPORT, type UrlKind } from '../ports/visits.ts'

export interface PathLength {
  /** Links from the seed. */
  depth: number
  /** Redirects since the last link. */
  hops: number
}

/** Fewer links first, then fewer redirects. */
export function isShorterPath(path: PathLength, known: PathLength): boolean {
  return path.depth < known.depth || (path.depth === known.depth && path.hops < known.hops)
}

/** `path` and `known` are relations with the columns depth and hops. */
export function isShorterPathSql(path: string, known: string): string {
  return `(${path}.depth, ${path}.hops) < (${known}.depth, ${known}.hops)`
}

/** A link is one level deeper. A redirect is as deep, with one more hop. */
export function childLength({ depth, hops }: PathLength, isRedirect: boolean): PathLength {
  return isRedirect ? { depth, hops: hops + 1 } : { depth: depth + 1, hops: 0 }
}

/** The paths from a visited URL to the URLs found in it. `Parent` identifies the visited URL. */
export class OutgoingPaths<Parent extends object> {
  /** The path of a link, or of the redirect target. */
  readonly child: Parent & PathLength
  readonly #refresh: Parent & PathLength
  /** Null unless the visited URL is a sitemap. */
  readonly #nestedSitemap: (Parent & PathLength) | null
  readonly #requisite: Parent & PathLength

  constructor(parent: Parent, url: PathLength & { kind: UrlKind }, isRedirect: boolean) {
    this.child = { ...parent, ...childLength(url, isRedirect) }
    this.#refresh = { ...this.child, hops: this.child.hops + url.hops + 1 }
    // A sitemap listed by another is as deep, with one more hop. The limit on hops ends a cycle of sitemaps.
    this.#nestedSitemap = url.kind === 'sitemap' ? { ...this.child, depth: url.depth, hops: url.hops + 1 } : null
    // Requisites have no depth, so that the depth limit does not apply to them.
    this.#requisite = { ...parent, depth: 0, hops: isRedirect ? this.child.hops : requisiteHops(url) }
  }

  to({ kind, isRefresh }: FoundUrl): Parent & PathLength {
    if (kind === 'requisite') return this.#requisite
    if (kind === 'sitemap' && this.#nestedSitemap !== null) return this.#nestedSitemap
    return isRefresh ? this.#refresh : this.child
  }
}

/** Hops of a requisite that this URL loads. Redirects that led to a style sheet do not count for its imports. */
function requisiteHops({ kind, hops }: PathLength & { kind: UrlKind }): number {
  const imports = kind === 'requisite' ? Math.floor(hops / HOPS_PER_IMPORT) + 1 : 0
  return imports * HOPS_PER_IMPORT + 1
}
