// Data that an audit keeps about every URL of a crawl while it runs: about 60 bytes each. Texts are kept only for URLs
// that redirect or fail, and for redirect targets.

import { pathStart } from '../engine/url/url-key.ts'
import type { UrlRow } from '../ports/urls.ts'
import { MAX_REDIRECTS, REDIRECT_LOOP } from '../ports/visits.ts'
import { brokenDetail } from './broken-url.ts'
import { grow } from './growing-arrays.ts'
import { TextGroups } from './text-groups.ts'

const FIRST_LENGTH = 1 << 10
/** Excluded because the crawl ended before them. */
const CUT_REASONS = new Set(['max_pages', 'host_max_pages', 'cancelled', 'completed_by_user', 'beyond_limit'])
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i

const FLAGS = {
  /** Responds with an HTML page. */
  page: 1,
  noindex: 2,
  /**
   * The page names another URL of its host as its canonical one. A copy of a site, such as a test system, names the
   * original: its pages are checked as if they were there.
   */
  canonicalised: 4,
  /** A sitemap lists the URL. */
  listed: 8,
  sitemap: 16,
  seed: 32,
  visited: 64,
  /** The archived page could be read. */
  examined: 128,
} as const
type Flag = keyof typeof FLAGS

/** A URL that redirects, or that ended without a page. */
export interface ProblemUrl {
  url: string
  httpStatus: number | null
  redirectTo: string | null
  isLoop: boolean
  /** Why a link to it is broken; null if it is not. */
  broken: string | null
}

/** The end of a chain of redirects. */
export interface RedirectEnd {
  /** All URLs on the way, starting with the redirect itself. */
  path: string[]
  /** Index of the last one; -1 if the crawl does not have it. */
  index: number
  isLoop: boolean
}

export class UrlTable {
  /** URLs are unique in a crawl, so the number of a group is the index of its URL. */
  readonly #texts = new TextGroups()
  readonly #problems = new Map<number, ProblemUrl>()
  #ids = new Float64Array(FIRST_LENGTH)
  #flags = new Uint8Array(FIRST_LENGTH)
  #inlinks = new Uint32Array(FIRST_LENGTH)
  #pageIds = new Float64Array(FIRST_LENGTH)
  #hosts = new Uint32Array(FIRST_LENGTH)
  readonly #hostNames = new TextGroups()
  readonly #listedHosts = new Set<number>()
  #isComplete = true
  #isAnyVisited = false
  #openUrls = 0

  /**
   * Rows must be added in order of their ids. Returns the index of the URL, or that of a copy that was added before.
   */
  add(row: UrlRow): number {
    const size = this.#texts.size
    const index = this.#texts.add(row.url)
    if (index < size) return index
    if (index >= this.#ids.length) {
      this.#ids = grow(this.#ids)
      this.#flags = grow(this.#flags)
      this.#inlinks = grow(this.#inlinks)
      this.#pageIds = grow(this.#pageIds)
      this.#hosts = grow(this.#hosts)
    }
    this.#ids[index] = row.id
    this.#flags[index] = flagsOf(row)
    this.#hosts[index] = this.#hostNames.add(originOf(row.url))
    if (isCut(row)) this.#isComplete = false
    if (row.state === 'visited' && row.kind !== 'sitemap') this.#isAnyVisited = true
    // A URL that waits for a revisit was visited before.
    if (isOpen(row) && row.visitedAt === null) this.#openUrls += 1
    const broken = brokenDetail(row)
    if (row.state === 'redirected' || broken !== null) {
      const { url, httpStatus, redirectTo, reason } = row
      this.#problems.set(index, { url, httpStatus, redirectTo, isLoop: reason === REDIRECT_LOOP, broken })
    }
    return index
  }

  /** False if links of pages that were not visited are missing. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Sitemaps do not count. */
  get isAnyVisited(): boolean {
    return this.#isAnyVisited
  }

  /** URLs that the crawl has not visited yet. */
  get openUrls(): number {
    return this.#openUrls
  }

  get size(): number {
    return this.#texts.size
  }

  /** -1 if the crawl does not have it. */
  indexOfUrl(url: string): number {
    return this.#texts.find(url)
  }

  /** -1 if there is none; ids rise with indexes. */
  indexOfId(id: number): number {
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.idOf(middle) < id) low = middle + 1
      else high = middle
    }
    return low < this.size && this.idOf(low) === id ? low : -1
  }

  idOf(index: number): number {
    return this.#ids[index] ?? 0
  }

  has(index: number, flag: Flag): boolean {
    return ((this.#flags[index] ?? 0) & FLAGS[flag]) !== 0
  }

  set(index: number, flag: Flag): void {
    this.#flags[index] = (this.#flags[index] ?? 0) | FLAGS[flag]
  }

  setListed(index: number): void {
    this.set(index, 'listed')
    this.#listedHosts.add(this.#hosts[index] ?? 0)
  }

  get isAnyListed(): boolean {
    return this.#listedHosts.size > 0
  }

  /** A sitemap lists URLs of the same origin. */
  isHostListed(index: number): boolean {
    return this.#listedHosts.has(this.#hosts[index] ?? 0)
  }

  /** A page that a search engine may show under this URL. */
  isIndexable(index: number): boolean {
    return this.has(index, 'page') && !this.has(index, 'noindex') && !this.has(index, 'canonicalised')
  }

  /** Links from other URLs, with redirects, but without sitemaps. */
  inlinks(index: number): number {
    return this.#inlinks[index] ?? 0
  }

  addInlink(index: number): void {
    this.#inlinks[index] = this.inlinks(index) + 1
  }

  /** The archived version to examine; 0 if there is none. */
  pageIdOf(index: number): number {
    return this.#pageIds[index] ?? 0
  }

  setPageId(index: number, pageId: number): void {
    this.#pageIds[index] = pageId
  }

  problemOf(index: number): ProblemUrl | undefined {
    return this.#problems.get(index)
  }

  *problems(): Iterable<[index: number, problem: ProblemUrl]> {
    yield* this.#problems
  }

  followRedirects(index: number): RedirectEnd | null {
    const first = this.#problems.get(index)
    if (first?.redirectTo == null) return null
    const path = [first.url]
    for (let problem: ProblemUrl | undefined = first, end = index; ; problem = this.#problems.get(end)) {
      const target: string | null = problem?.redirectTo ?? null
      if (target === null) return { path, index: end, isLoop: false }
      if (path.includes(target)) return { path: [...path, target], index: end, isLoop: true }
      path.push(target)
      end = this.indexOfUrl(target)
      if (path.length > MAX_REDIRECTS + 1) return { path, index: end, isLoop: false }
    }
  }
}

function isCut(row: UrlRow): boolean {
  return row.state === 'excluded' ? CUT_REASONS.has(row.reason ?? '') : isOpen(row)
}

function isOpen({ state }: UrlRow): boolean {
  return state === 'queued' || state === 'in_progress'
}

/** Host without scheme and www. */
function hostOf(url: string): string {
  return url.slice(0, pathStart(url)).replace(/^https?:\/\/(?:www\.)?/, '')
}

function originOf(url: string): string {
  return url.slice(0, pathStart(url))
}

function flagsOf({ url, state, kind, httpStatus, contentType, noindex, canonical, depth }: UrlRow): number {
  const isSitemap = kind === 'sitemap'
  const isVisited = state === 'visited'
  const isOk = isVisited && (httpStatus === 200 || httpStatus === 203)
  let flags = 0
  if (isVisited) flags |= FLAGS.visited
  if (isSitemap) flags |= FLAGS.sitemap
  if (isOk && kind === 'page' && HTML.test(contentType ?? '')) flags |= FLAGS.page
  if (noindex) flags |= FLAGS.noindex
  if (canonical !== null && canonical !== url && hostOf(canonical) === hostOf(url)) flags |= FLAGS.canonicalised
  if (depth === 0 && kind === 'page') flags |= FLAGS.seed
  return flags
}
