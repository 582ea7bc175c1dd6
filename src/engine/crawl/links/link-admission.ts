// Decides which links of a page enter the crawl: resolved, in scope, not reported before, of a sane shape, on no filter
// list. A link that does not is counted by reason and forgotten. The links of a page may come in stretches:
//
//   open -> add ... add -> close

import { copyAscii } from '../../../lib/copy-string.ts'
import { type FoundUrl, MAX_REDIRECTS, type SitemapListing, type UrlKind } from '../../../ports/frontier.ts'
import { findRefusedRel, type LinkRelRules } from '../../robots/directives.ts'
import { isQueryVariation } from '../../traps/query-variations.ts'
import type { TrapDetector } from '../../traps/trap-detector.ts'
import type { FilterList } from '../../url/filter-list.ts'
import type { LinkResolver } from '../../url/link-resolver.ts'
import { type NormalisedUrl, normaliseUrl } from '../../url/normalise-url.ts'
import type { Scope } from '../../url/scope.ts'
import type { SeenUrls } from '../../url/seen-urls.ts'
import { hashOrigin, hashPath, hashUrl, type KeyLanes, keyToLanes, lanesToKey, urlKey } from '../../url/url-key.ts'
import { findUrlShapeProblem, type UrlShapeLimits } from '../../url/url-shape.ts'
import { LinkKeyBuffer } from './link-key-buffer.ts'
import { type RejectedLink, Rejections } from './rejections.ts'

export interface LinkAdmissionDependencies extends LinkRelRules {
  scope: Scope
  seen: SeenUrls
  keySeed: number
  maxDepth: number | null
  shape: UrlShapeLimits
  filters: FilterList | null
  traps: TrapDetector | null
  /** Hears of a few links of every reason. */
  onRejected: (link: RejectedLink) => void
}

export interface RawLink {
  href: string
  rel: string
}

/** Where links lead: one step deeper than their page, or for a redirect to the same depth and one hop further. */
export interface LinkContext {
  urlId: number
  pageUrl: string
  resolver: LinkResolver
  depth: number
  hops: number
  /** What the links of this place are; those of a redirected sitemap are sitemaps too. */
  kind: UrlKind
  /** Where the page sends its readers by a meta refresh. */
  refreshTo?: string | null
}

interface PageAdmission extends LinkContext {
  distance: number
  /** Every url of the page's own origin is in scope. */
  isOriginInScope: boolean
  /** Links that begin with it only vary the query of the page, and are held. */
  heldQueryPrefix: string | null
  found: FoundUrl[]
  held: FoundUrl[]
}

/** Depth counts first, hops among equals; hops fit below one step of depth. */
const HOPS_PER_DEPTH = 16
const BEYOND_LIMIT = -1
/** `matchedChars`: characters of URLs times the weight of the patterns, at up to 50 ns each; about 20 ms, or one URL. */
const TURN_LIMITS = { links: 1024, matchedChars: 400_000 }

export class LinkAdmission {
  readonly #dependencies: LinkAdmissionDependencies
  readonly #key: KeyLanes = { hi: 0, lo: 0 }
  readonly #origin: KeyLanes = { hi: 0, lo: 0 }
  readonly #linkKeys = new LinkKeyBuffer()
  readonly rejections: Rejections

  constructor(dependencies: LinkAdmissionDependencies) {
    this.#dependencies = dependencies
    this.rejections = new Rejections(dependencies.onRejected)
  }

  /** Keys of every admitted link since they were last taken. */
  get linkKeys(): LinkKeyBuffer {
    return this.#linkKeys
  }

  openPage(place: LinkContext): PageAdmission {
    const { scope, keySeed, maxDepth } = this.#dependencies
    const { resolver, depth, hops } = place
    // Beyond a limit the store keeps the links aside, so it needs them all (see the store's discover.ts).
    const isTooDeep = maxDepth !== null && depth > maxDepth
    const distance = isTooDeep || hops > MAX_REDIRECTS ? BEYOND_LIMIT : depth * HOPS_PER_DEPTH + hops
    const isOriginIn = scope.isDecidedByHost && scope.check(resolver.origin, resolver.host) === null
    hashOrigin(resolver.origin, keySeed, this.#origin)
    this.#linkKeys.startPage()
    const heldPath =
      distance === BEYOND_LIMIT
        ? null
        : (this.#dependencies.traps?.heldQueryPrefix(place.pageUrl, resolver.host) ?? null)
    return { ...place, distance, isOriginInScope: isOriginIn, heldQueryPrefix: heldPath, found: [], held: [] }
  }

  /** Adds the links from a position on, as many as one turn of the event loop allows. Returns where to continue. */
  addLinks(page: PageAdmission, links: readonly RawLink[], from: number): number {
    const { keySeed } = this.#dependencies
    const { resolver, isOriginInScope } = page
    const to = this.#endOfTurn(page, links, from)
    for (let i = from; i < to; i++) {
      const { href, rel } = links[i] as RawLink
      const refused = rel === '' ? null : findRefusedRel(rel, this.#dependencies)
      if (refused !== null) {
        this.rejections.count(refused)
        continue
      }
      // The way of most links: no url is put together unless it is news.
      const path = isOriginInScope ? resolver.resolvePlain(href) : null
      if (path !== null) {
        hashPath(path, this.#origin, this.#key)
        if (this.#isNew(page)) this.#admitUrl(page, resolver.origin + path, resolver.host, null)
        continue
      }
      const target = this.#checkScope(page, resolver.resolveExact(href), href)
      if (target === null) continue
      hashUrl(target.url, keySeed, this.#key)
      if (this.#isNew(page)) this.#admitUrl(page, target.url, target.host, null)
    }
    return to
  }

  #endOfTurn({ resolver: { baseLength } }: PageAdmission, links: readonly RawLink[], from: number): number {
    const last = Math.min(links.length, from + TURN_LIMITS.links)
    const maxChars = TURN_LIMITS.matchedChars / Math.max(1, this.#dependencies.scope.patternWeight)
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
  addSitemapEntry(page: PageAdmission, loc: string, sitemapListing: SitemapListing): void {
    const target = this.#checkScope(page, page.resolver.resolveExact(loc), loc)
    if (target === null) return
    hashUrl(target.url, this.#dependencies.keySeed, this.#key)
    if (!this.#linkKeys.add(this.#key)) return
    if (page.distance !== BEYOND_LIMIT) this.#dependencies.seen.addIfCloser(this.#key, page.distance)
    this.#admitUrl(page, target.url, target.host, sitemapListing)
  }

  /** The urls that are news, and how many keys the page has. Beyond a limit everything is told, news or not. */
  closePage(page: PageAdmission): { found: FoundUrl[]; held: FoundUrl[]; linkCount: number; isBeyondLimit: boolean } {
    const { found, held, distance } = page
    return { found, held, linkCount: this.#linkKeys.endPage(), isBeyondLimit: distance === BEYOND_LIMIT }
  }

  /** Sitemaps may live on any host: robots.txt or the user named them. */
  toSitemapUrl(url: string, base: string): FoundUrl | null {
    const target = normaliseUrl(url, base)
    if ('problem' in target) {
      this.rejections.count(`sitemap_${target.problem}`)
      return null
    }
    const key = urlKey(target.url, this.#dependencies.keySeed)
    return { url: target.url, host: target.host, key, kind: 'sitemap', isRefresh: false, listing: null }
  }

  #checkScope(page: PageAdmission, target: NormalisedUrl | null, href: string): { url: string; host: string } | null {
    if (target === null) return null
    if ('problem' in target) {
      this.rejections.countWithSample(target.problem, href, page)
      return null
    }
    // A sitemap may live anywhere; what it lists may not.
    const reason = page.kind === 'sitemap' ? null : this.#dependencies.scope.check(target.url, target.host)
    if (reason !== null) this.rejections.count(reason)
    return reason === null ? target : null
  }

  #isNew(page: PageAdmission): boolean {
    if (!this.#linkKeys.add(this.#key)) return false
    if (page.distance !== BEYOND_LIMIT) return this.#dependencies.seen.addIfCloser(this.#key, page.distance)
    this.rejections.count('beyond_limit')
    return true
  }

  /** The last questions, asked once a url and not once a link. */
  #admitUrl(page: PageAdmission, url: string, host: string, listing: SitemapListing | null): void {
    const { shape, filters } = this.#dependencies
    const problem = findUrlShapeProblem(url, shape)
    if (problem !== null) return this.rejections.countWithSample(problem, url, page)
    if (filters !== null) {
      const filter = filters.match(url, page.pageUrl)
      if (filter !== null) return this.rejections.countWithSample('filter_list', `${url} by ${filter}`, page)
    }
    const isRefresh = url === page.refreshTo
    const isHeld =
      page.heldQueryPrefix !== null && listing === null && !isRefresh && isQueryVariation(page.heldQueryPrefix, url)
    // Held links are reported again by any other page that has them.
    if (isHeld) this.#dependencies.seen.forget(this.#key)
    const found = { url: copyAscii(url), host, key: lanesToKey(this.#key), kind: page.kind, isRefresh, listing }
    if (isHeld) page.held.push(found)
    else page.found.push(found)
  }

  /** Urls that are held after all: whoever finds them again shall report them. */
  forgetUrls(found: readonly FoundUrl[]): void {
    for (const { key } of found) {
      keyToLanes(key, this.#key)
      this.#dependencies.seen.forget(this.#key)
    }
  }

  /** Forgets what was reported, when it turns out that it did not count. */
  reset(): void {
    this.#dependencies.seen.clear()
    this.#linkKeys.clear()
    this.rejections.clear()
  }
}
