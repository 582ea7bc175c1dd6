// Detects spider traps for one crawl loop. A trap is a URL pattern that reproduces itself: its pages keep leading to
// new URLs of the same pattern without new content. A page is therefore compared only with its own ancestors, so that
// suspicion depends on the site and not on the order of visits (frontier/judge-pattern.ts decides). A page is suspicious
// if it
//
//   repeats     the text of one of its ancestors, ignoring numbers and dates; or that of two of them, ignoring also the
//               words of its own URL and links
//   is nested   below copies of itself, as its own path and links show (nesting.ts)
//
// All links of a page that repeats are held. So are the links of a nested page to pages below it, links with a parameter
// that changes on every page, and links that only vary the query of their page (query-variations.ts). Held links are not
// in the ledger. When nothing else is left, the store admits some of them as trials, and their content decides about the
// rest (frontier/judge-pattern.ts).

import { pathStart, toPathPattern } from '../../lib/path-pattern.ts'
import { PATTERN_STATE, type PatternReport } from '../../ports/patterns.ts'
import type { FoundUrl } from '../../ports/visits.ts'
import { copyCodes } from '../parse/utf16-codes.ts'
import { LinkResolver } from '../url/link-resolver.ts'
import type { UrlShapeLimits } from '../url/url-shape.ts'
import { isDirectoryListing } from './directory-listing.ts'
import { hasEndlessPath } from './endless-paths.ts'
import { childPrefixOf, isNested } from './nesting.ts'
import { carriesUrlOf, findRotatingParameter, hasParameterNamed, queryPrefixOf } from './query-variations.ts'
import { type Skeleton, SkeletonSink } from './skeleton.ts'
import { addUrlWords } from './url-words.ts'

export interface TrapCandidate {
  url: string
  host: string
  /** Skeletons of the pages that led here, nearest first: for each page its exact hash, then its loose hash. */
  skeletons: readonly number[]
  /** The pattern that the page is a trial of. */
  trial: string | null
  title: string
  /** The page's links as written. */
  hrefs: readonly string[]
  /** What the links resolve against. */
  baseUrl: string
  /** URLs on this page that the thread has not seen before. */
  found: readonly FoundUrl[]
  /** It has links that only vary its query, known or not. */
  variesQuery: boolean
}

export interface TrapAssessment {
  /** Skeletons of this page and its ancestors, passed on to the pages it leads to. */
  skeletons: number[]
  /** Hashes of some of its lines. If the page repeats an ancestor, only tables of numbers count. */
  lineHashes: number[]
  /** Links to hold, as positions in `found`. */
  held: 'all' | ReadonlySet<number> | null
  /** The pattern under which links are held. Links that vary the page's own query are held even if `held` is null. */
  pattern: string
  /** The page is on trial and leads deeper through links that are not held, because their shape is rejected. */
  hasEndlessPaths: boolean
}

/** Each ancestor has two hashes. */
const MAX_ANCESTORS = 4
/**
 * Ancestors that must have the same loose hash. Real sites have pages that are only lists of names below each other, but
 * rarely three levels of them.
 */
const MIN_LOOSE_MATCHES = 2
/** Links of a page whose words are left out of its loose hash, and how many are looked at to find them. */
const MAX_URLS_FOR_WORDS = 64
const MAX_LINKS_FOR_WORDS = 256
/** Links with a scheme or a host of their own, which are rarely on the page's. */
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i
/** Lines that represent a page: those with the lowest hashes, so that equal pages are represented by equal lines. */
const MAX_LINES = 64
const NONE: ReadonlySet<number> = new Set()
/** Lines of numbers that make a table, and not a date, a count or a price. */
const MIN_TABLE = 8

export class TrapDetector {
  readonly #shape: UrlShapeLimits
  /** Patterns that a user released. */
  readonly #released = new Set<string>()
  /** Patterns that proved to have new content. Where several pages in a row repeat each other, their links are held. */
  readonly #proven = new Set<string>()

  constructor(shape: UrlShapeLimits) {
    this.#shape = shape
  }

  /** Prefix of links that only vary the query of this page; null if such links may be followed. */
  heldQueryPrefix(pageUrl: string, host: string): string | null {
    const prefix = queryPrefixOf(pageUrl)
    return prefix === null || this.#isAllowed(host + toPathPattern(pageUrl)) ? null : prefix
  }

  /** `skeleton`: the result of openSkeleton after the page's text was fed to it. */
  assess(page: TrapCandidate, skeleton: Skeleton): TrapAssessment {
    const { url, host, skeletons: ancestors, trial, found, variesQuery } = page
    const isDirectory = () => isDirectoryListing(page.title, url)
    const isRepeat = repeatsAncestor(skeleton, ancestors) && !isDirectory()
    const lineHashes = selectLines(skeleton, isRepeat)
    const skeletons = [skeleton.exact, skeleton.loose, ...ancestors].slice(0, MAX_ANCESTORS * 2)
    const pattern = host + toPathPattern(url)
    const hasEndlessPaths = trial !== null && this.#hasEndlessPaths(page)
    const harmless: TrapAssessment = { skeletons, lineHashes, held: null, pattern, hasEndlessPaths }
    // Checked first: a page under a new session id repeats the page under the old id, and both belong to one pattern.
    const rotating = this.#holdRotating(page)
    if (rotating !== null) return { ...harmless, ...rotating }
    const isBarren = lineHashes.length === 0 && isRepeat && repeatsAllAncestors(skeleton, ancestors)
    const isAllowed = [pattern, trial].some((name) => name !== null && this.#isAllowed(name, isBarren))
    if (found.length === 0 || isAllowed) return harmless
    // What a page on trial leads to is on trial, too, whatever its shape; but filters are a trap of their own.
    if (trial !== null && !variesQuery) return { ...harmless, held: 'all', pattern: trial }
    if (isRepeat) return { ...harmless, held: 'all' }
    // They would make every combination of filters look fruitful.
    const ownLinks = variesQuery ? positionsOf(found, carriesUrlOf(url)) : NONE
    const below = childPrefixOf(url)
    const deeper = positionsOf(found, (link) => link.startsWith(below))
    const isTrap = deeper.size > 0 && !isDirectory() && isNested(url, page.baseUrl, page.hrefs)
    const held = ownLinks.union(isTrap ? deeper : NONE)
    return held.size === 0 ? harmless : { ...harmless, held }
  }

  #hasEndlessPaths({ url, hrefs, baseUrl }: TrapCandidate): boolean {
    const resolver = new LinkResolver(baseUrl)
    return hasEndlessPath(url, hrefs, (href) => resolveOnOrigin(resolver, href), this.#shape)
  }

  /** Holds links that carry a parameter of the page with a new value, such as a session id. */
  #holdRotating({ url, host, found, hrefs }: TrapCandidate): Pick<TrapAssessment, 'held' | 'pattern'> | null {
    const name = findRotatingParameter(url, found, hrefs)
    if (name === null || this.#isAllowed(`${host}/*?${name}`)) return null
    return { held: positionsOf(found, (link) => hasParameterNamed(link, name)), pattern: `${host}/*?${name}` }
  }

  /** Learns which patterns the store allows. */
  learnPatterns(reports: readonly PatternReport[]): void {
    for (const { pattern, state } of reports) {
      if (state === PATTERN_STATE.released) this.#released.add(pattern)
      if (state === PATTERN_STATE.proven) this.#proven.add(pattern)
    }
  }

  #isAllowed(pattern: string, isBarren = false): boolean {
    return this.#released.has(pattern) || (this.#proven.has(pattern) && !isBarren)
  }
}

/** With the port, as addresses in the page write it. */
function hostIn(url: string): string {
  return url.slice(url.indexOf('//') + 2, pathStart(url))
}

/** Returns a sink for the text of the page; its title is already added. */
export function openSkeleton({
  url,
  title,
  hrefs,
  baseUrl,
}: Pick<TrapCandidate, 'url' | 'title' | 'hrefs' | 'baseUrl'>): SkeletonSink {
  const sink = new SkeletonSink(collectUrlWords(url, hrefs, new LinkResolver(baseUrl)), hostIn(url))
  sink.add(copyCodes(title), 0, title.length)
  sink.endBlock()
  return sink
}

/** Words of the page's URL, and of its links that have the same pattern or are in its folder, whether new or known. */
function collectUrlWords(url: string, hrefs: readonly string[], resolver: LinkResolver): Set<number> {
  const urlWords = new Set<number>()
  addUrlWords(url, urlWords)
  const folder = url.slice(0, url.lastIndexOf('/') + 1)
  // Elsewhere, only URLs below folders with numbers or below several folders have the same pattern.
  const pattern = /\d|\/.*\/.*\//.test(folder.slice(pathStart(url) + 1)) ? toPathPattern(url) : null
  const added = new Set<string>()
  for (const href of hrefs.slice(0, MAX_LINKS_FOR_WORDS)) {
    const link = resolveOnOrigin(resolver, href)
    if (link === null || added.has(link)) continue
    if (!link.startsWith(folder) && (pattern === null || toPathPattern(link) !== pattern)) continue
    addUrlWords(link, urlWords)
    added.add(link)
    if (added.size === MAX_URLS_FOR_WORDS) break
  }
  return urlWords
}

function resolveOnOrigin(resolver: LinkResolver, href: string): string | null {
  const path = resolver.resolvePlain(href)
  if (path !== null) return resolver.origin + path
  if (ABSOLUTE.test(href)) return null
  const target = resolver.resolveExact(href)
  return target !== null && 'url' in target && target.host === resolver.host ? target.url : null
}

function repeatsAncestor({ exact, loose }: Skeleton, ancestors: readonly number[]): boolean {
  let looseMatches = 0
  for (let i = 0; i < ancestors.length; i += 2) {
    if (ancestors[i] === exact) return true
    if (ancestors[i + 1] === loose) looseMatches += 1
  }
  return looseMatches >= MIN_LOOSE_MATCHES
}

/** All ancestors that are remembered have the same text as the page, apart from numbers and dates. */
function repeatsAllAncestors({ exact }: Skeleton, ancestors: readonly number[]): boolean {
  return ancestors.length === MAX_ANCESTORS * 2 && ancestors.every((hash, i) => i % 2 === 1 || hash === exact)
}

function selectLines({ lineHashes, numberLineHashes }: Skeleton, isRepeat: boolean): number[] {
  const words = isRepeat ? [] : lineHashes
  const numbers = numberLineHashes.length >= MIN_TABLE ? numberLineHashes : []
  return [...words, ...numbers].sort((a, b) => a - b).slice(0, MAX_LINES)
}

function positionsOf(found: readonly FoundUrl[], isHeld: (url: string) => boolean): Set<number> {
  return new Set(found.keys().filter((i) => isHeld(found[i]?.url ?? '')))
}
