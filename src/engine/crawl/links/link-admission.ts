// Decides which links of a page enter the crawl: those that resolve, are in scope, were not reported before, have a
// sane shape and are on no filter list. Rejected links are counted by reason. The links of a page can be added in
// chunks:
//
//   openPage -> addLinks ... addLinks -> closePage

import { copyAscii } from '../../../lib/copy-string.ts'
import { type FoundListing, type FoundUrl, hasTooManyRedirects, type UrlKind } from '../../../ports/visits.ts'
import { findRefusedRel, type LinkRelRules } from '../../robots/directives.ts'
import { isQueryVariation } from '../../traps/query-variations.ts'
import type { TrapDetector } from '../../traps/trap-detector.ts'
import type { FilterList } from '../../url/filter-list.ts'
import type { LinkResolver } from '../../url/link-resolver.ts'
import { type NormalisedUrl, normaliseUrl } from '../../url/normalise-url.ts'
import type { OutOfScopeReason, Scope } from '../../url/scope.ts'
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
  trapDetector: TrapDetector | null
  /** Called with a few samples per reason. */
  onRejected: (link: RejectedLink) => void
}

export interface RawLink {
  href: string
  rel: string
}

/** Where links are found, and the depth and hops of their targets: links are one level deeper, redirects one hop. */
export interface LinkContext {
  urlId: number
  pageUrl: string
  resolver: LinkResolver
  depth: number
  hops: number
  /** The kind of the targets. The target of a redirect is of the same kind as its source. */
  kind: UrlKind
  /** Target of the page's meta refresh. */
  refreshTo?: string | null
  /** Scripts name the URLs, and the page does not link to them. */
  isFromScript?: boolean
}

export interface AdmittedLinks {
  found: FoundUrl[]
  /** Links that only vary the query of their page. */
  held: FoundUrl[]
  /** It has links that only vary its query, new or not. */
  variesQuery: boolean
  /** Keys of all distinct links, new or not. */
  linkKeys: Uint8Array
  /** The links are beyond the depth or redirect limit; `found` then contains known URLs too. */
  isBeyondLimit: boolean
}

interface PageAdmission extends LinkContext {
  distance: number
  /** All URLs of the page's own origin are in scope. */
  isOriginInScope: boolean
  /** Links that start with this only vary the query of the page, and are held. */
  heldQueryPrefix: string | null
  found: FoundUrl[]
  held: FoundUrl[]
  variesQuery: boolean
}

/** Distances compare by depth, then by hops. The hops of pages stay below this number. */
const HOPS_PER_DEPTH = 16
const BEYOND_LIMIT = -1
/**
 * Distinguishes, in the seen set, the keys of requisites and of URLs named by scripts from the keys of linked pages.
 */
const REQUISITE_MARK = 0x5bf03635
const SCRIPT_MARK = 0x2c1b3c6d
/**
 * `matchedChars`: characters of URLs times the weight of the patterns, at up to 50 ns each; about 20 ms, or one URL.
 */
const TURN_LIMITS = { links: 1024, matchedChars: 400_000 }

export class LinkAdmission {
  readonly #dependencies: LinkAdmissionDependencies
  readonly #key: KeyLanes = { hi: 0, lo: 0 }
  readonly #origin: KeyLanes = { hi: 0, lo: 0 }
  readonly #markedKey: KeyLanes = { hi: 0, lo: 0 }
  readonly #linkKeys = new LinkKeyBuffer()
  readonly rejections: Rejections

  constructor(dependencies: LinkAdmissionDependencies) {
    this.#dependencies = dependencies
    this.rejections = new Rejections(dependencies.onRejected)
  }

  openPage(context: LinkContext): PageAdmission {
    const { scope, keySeed, maxDepth } = this.#dependencies
    const { resolver, depth, hops } = context
    // The store keeps links beyond a limit as deferred URLs, so it needs all of them, known or not.
    const isTooDeep = maxDepth !== null && depth > maxDepth
    const distance = isTooDeep || hasTooManyRedirects(hops) ? BEYOND_LIMIT : depth * HOPS_PER_DEPTH + hops
    const isOriginInScope = scope.isDecidedByHost && scope.check(resolver.origin, resolver.host) === null
    hashOrigin(resolver.origin, keySeed, this.#origin)
    this.#linkKeys.startPage()
    const heldQueryPrefix =
      distance === BEYOND_LIMIT || context.kind === 'requisite'
        ? null
        : (this.#dependencies.trapDetector?.heldQueryPrefix(context.pageUrl, resolver.host) ?? null)
    return { ...context, distance, isOriginInScope, heldQueryPrefix, found: [], held: [], variesQuery: false }
  }

  /** Adds as many links, starting at `from`, as one turn of the event loop allows. Returns where to continue. */
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
      // The fast path of most links: the URL string is built only if it is new.
      const path = isOriginInScope ? resolver.resolvePlain(href) : null
      if (path !== null) {
        hashPath(path, this.#origin, this.#key)
        if (this.#isNew(page)) this.#admitUrl(page, resolver.origin + path, resolver.host, null)
        else if (mayVaryQuery(page)) noteVariation(page, resolver.origin + path)
        continue
      }
      const target = this.#checkScope(page, resolver.resolveExact(href), href)
      if (target === null) continue
      hashUrl(target.url, keySeed, this.#key)
      if (this.#isNew(page)) this.#admitUrl(page, target.url, target.host, null)
      else if (mayVaryQuery(page)) noteVariation(page, target.url)
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

  /** Adds an entry of a sitemap or a feed. Known URLs are reported too, with the data of the entry. */
  addListedUrl(page: PageAdmission, loc: string, listing: FoundListing): void {
    const target = this.#checkScope(page, page.resolver.resolveExact(loc), loc)
    if (target === null) return
    hashUrl(target.url, this.#dependencies.keySeed, this.#key)
    if (!this.#linkKeys.add(this.#key)) return
    if (page.distance !== BEYOND_LIMIT) this.#dependencies.seen.addIfCloser(this.#key, page.distance)
    this.#admitUrl(page, target.url, target.host, listing)
  }

  /** Returns the new URLs and the keys of all links. Beyond a limit, known URLs are reported too. */
  closePage({ found, held, variesQuery, distance }: PageAdmission): AdmittedLinks {
    return { found, held, variesQuery, linkKeys: this.#linkKeys.copyKeys(), isBeyondLimit: distance === BEYOND_LIMIT }
  }

  /** Returns the new requisites of the page. They are not links, so their keys are not stored. */
  closeRequisites({ found }: PageAdmission): FoundUrl[] {
    return found
  }

  /** Whether a page may lead to this page. */
  isInScope({ url, host }: { url: string; host: string }): boolean {
    return this.#dependencies.scope.check(url, host) === null
  }

  /** Sitemaps may be on any host: robots.txt or the user named them. */
  toSitemapUrl(url: string, base: string): FoundUrl | null {
    const target = normaliseUrl(url, base)
    if ('problem' in target) {
      this.rejections.count(`sitemap_${target.problem}`)
      return null
    }
    return this.#toFoundUrl(target, 'sitemap')
  }

  /** A canonical URL that a rendered page has requested. */
  toRequisiteUrl(url: string): FoundUrl {
    return this.#toFoundUrl({ url, host: new URL(url).host }, 'requisite')
  }

  #toFoundUrl({ url, host }: { url: string; host: string }, kind: UrlKind): FoundUrl {
    return { url, host, key: urlKey(url, this.#dependencies.keySeed), kind, isRefresh: false, listing: null }
  }

  #checkScope(page: PageAdmission, target: NormalisedUrl | null, href: string): { url: string; host: string } | null {
    if (target === null) return null
    if ('problem' in target) {
      this.rejections.countWithSample(target.problem, href, page)
      return null
    }
    // A sitemap may be on any host; the URLs it lists must be in scope.
    const reason = this.#findScopeProblem(page, target)
    if (reason !== null) this.rejections.count(reason)
    return reason === null ? target : null
  }

  #findScopeProblem({ kind }: PageAdmission, { url, host }: { url: string; host: string }): OutOfScopeReason | null {
    const { scope } = this.#dependencies
    if (kind === 'requisite') return scope.checkRequisite(url)
    return kind === 'sitemap' ? null : scope.check(url, host)
  }

  #isNew(page: PageAdmission): boolean {
    if (!this.#linkKeys.add(this.#key)) return false
    if (page.distance !== BEYOND_LIMIT) return this.#dependencies.seen.addIfCloser(this.#seenKey(page), page.distance)
    this.rejections.count('beyond_limit')
    return true
  }

  /**
   * Key in the seen set. A URL that was reported as a requisite or named by a script is reported again when it is
   * linked as a page, because it becomes a page then.
   */
  #seenKey({ kind, isFromScript }: Pick<LinkContext, 'kind' | 'isFromScript'>): KeyLanes {
    if (kind !== 'requisite' && isFromScript !== true) return this.#key
    this.#markedKey.lo = this.#key.lo
    this.#markedKey.hi = (this.#key.hi ^ (kind === 'requisite' ? REQUISITE_MARK : SCRIPT_MARK)) >>> 0
    return this.#markedKey
  }

  /** The expensive checks, done once per URL and not once per link. */
  #admitUrl(page: PageAdmission, url: string, host: string, listing: FoundListing | null): void {
    const { shape, filters } = this.#dependencies
    const problem = findUrlShapeProblem(url, shape)
    if (problem !== null) return this.rejections.countWithSample(problem, url, page)
    if (filters !== null) {
      const filter = filters.match(url, page.pageUrl)
      if (filter !== null) return this.rejections.countWithSample('filter_list', `${url} by ${filter}`, page)
    }
    const isRefresh = url === page.refreshTo
    const isHeld = listing === null && !isRefresh && isVariation(page, url)
    // Forgotten, so that another page with this link reports it again.
    if (isHeld) {
      this.#dependencies.seen.forget(this.#seenKey(page))
      page.variesQuery = true
    }
    const found: FoundUrl = {
      url: copyAscii(url),
      host,
      key: lanesToKey(this.#key),
      kind: page.kind,
      isRefresh,
      listing,
    }
    if (page.isFromScript === true) found.isFromScript = true
    if (isHeld) page.held.push(found)
    else page.found.push(found)
  }

  /** Forgets URLs that are held after all, so that other pages with these links report them again. */
  forgetUrls(found: readonly FoundUrl[]): void {
    for (const url of found) {
      keyToLanes(url.key, this.#key)
      this.#dependencies.seen.forget(this.#seenKey(url))
    }
  }

  /** Forgets everything reported so far. Called when reports may have been rejected. */
  reset(): void {
    this.#dependencies.seen.clear()
    this.rejections.clear()
  }
}

/** Whether it remains to be found out if known links vary the query. */
function mayVaryQuery({ heldQueryPrefix, variesQuery }: PageAdmission): boolean {
  return heldQueryPrefix !== null && !variesQuery
}

/** A known link counts as well: whether the thread has seen it depends on the order of visits. */
function noteVariation(page: PageAdmission, url: string): void {
  page.variesQuery = isVariation(page, url)
}

function isVariation({ heldQueryPrefix, pageUrl }: PageAdmission, url: string): boolean {
  return heldQueryPrefix !== null && url !== pageUrl && isQueryVariation(heldQueryPrefix, url)
}
