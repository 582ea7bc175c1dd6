// Decides which links of a page enter the crawl: resolved, in scope, not reported before, of a sane shape, on no filter
// list. A link that does not is counted by reason and forgotten. The links of a page may come in stretches:
//
//   open -> add ... add -> close

import { detachAscii } from '../../lib/detach.ts'
import { type FoundUrl, type Listing, MAX_REDIRECTS, type UrlKind } from '../../ports/frontier.ts'
import { type LinkRules, refusedRel } from '../robots/directives.ts'
import { isVariation } from '../traps/variations.ts'
import type { TrapWatch } from '../traps/watch.ts'
import type { FilterList } from '../url/filter-list.ts'
import { hashOrigin, hashRest, hashUrl, type KeyLanes, keyToLanes, lanesToKey, urlKey } from '../url/key.ts'
import { type Normalised, normaliseUrl } from '../url/normalise.ts'
import type { Resolver } from '../url/resolve.ts'
import type { Scope } from '../url/scope.ts'
import type { SeenSet } from '../url/seen.ts'
import { type ShapeLimits, shapeProblem } from '../url/shape.ts'
import { PageKeys } from './page-keys.ts'
import { type DroppedLink, Rejections } from './rejections.ts'

export interface AdmitParts extends LinkRules {
  scope: Scope
  seen: SeenSet
  keySeed: number
  maxDepth: number | null
  shape: ShapeLimits
  filters: FilterList | null
  traps: TrapWatch | null
  /** Hears of a few links of every reason. */
  onDropped: (link: DroppedLink) => void
}

export interface Link {
  href: string
  rel: string
}

/** Where links lead: one step deeper than their page, or for a redirect to the same depth and one hop further. */
export interface LinkPlace {
  urlId: number
  pageUrl: string
  resolver: Resolver
  depth: number
  hops: number
  /** What the links of this place are; those of a redirected sitemap are sitemaps too. */
  kind: UrlKind
  /** Where the page sends its readers by a meta refresh. */
  refreshTo?: string | null
}

interface OpenPage extends LinkPlace {
  distance: number
  /** Every url of the page's own origin is in scope. */
  isOriginIn: boolean
  /** Links that begin with it only vary the query of the page, and are held. */
  heldPath: string | null
  found: FoundUrl[]
  held: FoundUrl[]
}

/** Depth counts first, hops among equals; hops fit below one step of depth. */
const HOPS = 16
const BEYOND = -1
/** `matchedChars`: characters of URLs times the weight of the patterns, at up to 50 ns each; about 20 ms, or one URL. */
const TURN = { links: 1024, matchedChars: 400_000 }

export class Admit {
  readonly #parts: AdmitParts
  readonly #key: KeyLanes = { hi: 0, lo: 0 }
  readonly #origin: KeyLanes = { hi: 0, lo: 0 }
  readonly #pageKeys = new PageKeys()
  readonly rejections: Rejections

  constructor(parts: AdmitParts) {
    this.#parts = parts
    this.rejections = new Rejections(parts.onDropped)
  }

  /** Keys of every admitted link since they were last taken. */
  get linkKeys(): PageKeys {
    return this.#pageKeys
  }

  open(place: LinkPlace): OpenPage {
    const { scope, keySeed, maxDepth } = this.#parts
    const { resolver, depth, hops } = place
    // Beyond a limit the store keeps the links aside, so it needs them all (see the store's discover.ts).
    const isTooDeep = maxDepth !== null && depth > maxDepth
    const distance = isTooDeep || hops > MAX_REDIRECTS ? BEYOND : depth * HOPS + hops
    const isOriginIn = scope.isByHostAlone && scope.judge(resolver.origin, resolver.host) === null
    hashOrigin(resolver.origin, keySeed, this.#origin)
    this.#pageKeys.startPage()
    const heldPath = distance === BEYOND ? null : (this.#parts.traps?.heldPath(place.pageUrl, resolver.host) ?? null)
    return { ...place, distance, isOriginIn, heldPath, found: [], held: [] }
  }

  /** Adds the links from a position on, as many as one turn of the event loop allows. Returns where to continue. */
  add(page: OpenPage, links: readonly Link[], from: number): number {
    const { keySeed } = this.#parts
    const { resolver, isOriginIn } = page
    const to = this.#endOfTurn(page, links, from)
    for (let i = from; i < to; i++) {
      const { href, rel } = links[i] as Link
      const refused = rel === '' ? null : refusedRel(rel, this.#parts)
      if (refused !== null) {
        this.rejections.count(refused)
        continue
      }
      // The way of most links: no url is put together unless it is news.
      const path = isOriginIn ? resolver.plain(href) : null
      if (path !== null) {
        hashRest(path, this.#origin, this.#key)
        if (this.#isNews(page)) this.#take(page, resolver.origin + path, resolver.host, null)
        continue
      }
      const target = this.#judge(page, resolver.exact(href), href)
      if (target === null) continue
      hashUrl(target.url, keySeed, this.#key)
      if (this.#isNews(page)) this.#take(page, target.url, target.host, null)
    }
    return to
  }

  #endOfTurn({ resolver: { baseLength } }: OpenPage, links: readonly Link[], from: number): number {
    const last = Math.min(links.length, from + TURN.links)
    const maxChars = TURN.matchedChars / Math.max(1, this.#parts.scope.patternWeight)
    let chars = 0
    let to = from
    while (to < last && chars < maxChars) {
      // A resolved URL is no longer than its base and its link together.
      chars += baseLength + (links[to]?.href.length ?? 0)
      to += 1
    }
    return to
  }

  /** An entry of a sitemap. It is told even when known, for what the sitemap says of it. */
  addListed(page: OpenPage, loc: string, listing: Listing): void {
    const target = this.#judge(page, page.resolver.exact(loc), loc)
    if (target === null) return
    hashUrl(target.url, this.#parts.keySeed, this.#key)
    if (!this.#pageKeys.add(this.#key)) return
    if (page.distance !== BEYOND) this.#parts.seen.isNews(this.#key, page.distance)
    this.#take(page, target.url, target.host, listing)
  }

  /** The urls that are news, and how many keys the page has. Beyond a limit everything is told, news or not. */
  close(page: OpenPage): { found: FoundUrl[]; held: FoundUrl[]; links: number; isBeyond: boolean } {
    const { found, held, distance } = page
    return { found, held, links: this.#pageKeys.endPage(), isBeyond: distance === BEYOND }
  }

  /** Sitemaps may live on any host: robots.txt or the user named them. */
  sitemap(url: string, base: string): FoundUrl | null {
    const target = normaliseUrl(url, base)
    if ('problem' in target) {
      this.rejections.count(`sitemap_${target.problem}`)
      return null
    }
    const key = urlKey(target.url, this.#parts.keySeed)
    return { url: target.url, host: target.host, key, kind: 'sitemap', isRefresh: false, listing: null }
  }

  #judge(page: OpenPage, target: Normalised | null, href: string): { url: string; host: string } | null {
    if (target === null) return null
    if ('problem' in target) {
      this.rejections.keep(target.problem, href, page)
      return null
    }
    // A sitemap may live anywhere; what it lists may not.
    const reason = page.kind === 'sitemap' ? null : this.#parts.scope.judge(target.url, target.host)
    if (reason !== null) this.rejections.count(reason)
    return reason === null ? target : null
  }

  #isNews(page: OpenPage): boolean {
    if (!this.#pageKeys.add(this.#key)) return false
    if (page.distance !== BEYOND) return this.#parts.seen.isNews(this.#key, page.distance)
    this.rejections.count('beyond_limit')
    return true
  }

  /** The last questions, asked once a url and not once a link. */
  #take(page: OpenPage, url: string, host: string, listing: Listing | null): void {
    const { shape, filters } = this.#parts
    const problem = shapeProblem(url, shape)
    if (problem !== null) return this.rejections.keep(problem, url, page)
    if (filters !== null) {
      const filter = filters.match(url, page.pageUrl)
      if (filter !== null) return this.rejections.keep('filter_list', `${url} by ${filter}`, page)
    }
    const isRefresh = url === page.refreshTo
    const isHeld = page.heldPath !== null && listing === null && !isRefresh && isVariation(page.heldPath, url)
    // Held links are reported again by any other page that has them.
    if (isHeld) this.#parts.seen.forget(this.#key)
    const found = { url: detachAscii(url), host, key: lanesToKey(this.#key), kind: page.kind, isRefresh, listing }
    if (isHeld) page.held.push(found)
    else page.found.push(found)
  }

  /** Urls that are held after all: whoever finds them again shall report them. */
  forget(found: readonly FoundUrl[]): void {
    for (const { key } of found) {
      keyToLanes(key, this.#key)
      this.#parts.seen.forget(this.#key)
    }
  }

  /** Forgets what was reported, when it turns out that it did not count. */
  startOver(): void {
    this.#parts.seen.clear()
    this.#pageKeys.clear()
    this.rejections.clear()
  }
}
