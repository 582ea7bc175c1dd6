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

import { toPathPattern } from '../../lib/path-pattern.ts'
import { PATTERN_STATE, type PatternReport } from '../../ports/patterns.ts'
import type { FoundUrl } from '../../ports/visits.ts'
import { copyCodes } from '../parse/utf16-codes.ts'
import { isDirectoryListing } from './directory-listing.ts'
import { childPrefixOf, isNested } from './nesting.ts'
import { findRotatingParameter, hasParameterNamed, queryPrefixOf } from './query-variations.ts'
import { type Skeleton, SkeletonSink } from './skeleton.ts'
import { addPathWords, addQueryWords } from './url-words.ts'

export interface TrapCandidate {
  url: string
  host: string
  /** Skeletons of the pages that led here, nearest first: for each page its exact hash, then its loose hash. */
  skeletons: readonly number[]
  title: string
  /** The page's links as written. */
  hrefs: Iterable<string>
  /** What the links resolve against. */
  baseUrl: string
  /** URLs on this page that the thread has not seen before. */
  found: readonly FoundUrl[]
}

export interface TrapAssessment {
  /** Skeletons of this page and its ancestors, passed on to the pages it leads to. */
  skeletons: number[]
  /** Hashes of some of its lines; empty if the page repeats an ancestor. */
  lineHashes: number[]
  /** Links to hold, as positions in `found`, and the pattern under which they are held. */
  held: 'all' | ReadonlySet<number> | null
  pattern: string | null
}

/** Each ancestor has two hashes. */
const MAX_ANCESTORS = 4
/**
 * Ancestors that must have the same loose hash. Real sites have pages that are only lists of names below each other, but
 * rarely three levels of them.
 */
const MIN_LOOSE_MATCHES = 2
/** Links of a page whose words are left out of its loose hash. */
const MAX_URLS_FOR_WORDS = 64
/** Lines that represent a page: those with the lowest hashes, so that equal pages are represented by equal lines. */
const MAX_LINES = 64

export class TrapDetector {
  /** Patterns that proved to have new content, or that a user released. */
  readonly #allowedPatterns = new Set<string>()

  /** Prefix of links that only vary the query of this page; null if such links may be followed. */
  heldQueryPrefix(pageUrl: string, host: string): string | null {
    const prefix = queryPrefixOf(pageUrl)
    return prefix === null || this.#allowedPatterns.has(host + toPathPattern(pageUrl)) ? null : prefix
  }

  /** `skeleton`: the result of openSkeleton after the page's text was fed to it. */
  assess(page: TrapCandidate, skeleton: Skeleton): TrapAssessment {
    const { url, host, skeletons: ancestors, found } = page
    const isDirectory = () => isDirectoryListing(page.title, url)
    const isRepeat = repeatsAncestor(skeleton, ancestors) && !isDirectory()
    const lineHashes = isRepeat ? [] : skeleton.lineHashes.sort((a, b) => a - b).slice(0, MAX_LINES)
    const skeletons = [skeleton.exact, skeleton.loose, ...ancestors].slice(0, MAX_ANCESTORS * 2)
    const harmless: TrapAssessment = { skeletons, lineHashes, held: null, pattern: null }
    // Checked first: a page under a new session id repeats the page under the old id, and both belong to one pattern.
    const rotating = this.#holdRotating(page)
    if (rotating !== null) return { ...harmless, ...rotating }
    const pattern = host + toPathPattern(url)
    if (found.length === 0 || this.#allowedPatterns.has(pattern)) return harmless
    if (isRepeat) return { ...harmless, held: 'all', pattern }
    const below = childPrefixOf(url)
    const held = positionsOf(found, (link) => link.startsWith(below))
    if (held.size === 0 || isDirectory() || !isNested(url, page.baseUrl, page.hrefs)) return harmless
    return { ...harmless, held, pattern }
  }

  /** Holds links that carry a parameter of the page with a new value, such as a session id. */
  #holdRotating({ url, host, found, hrefs }: TrapCandidate): Pick<TrapAssessment, 'held' | 'pattern'> | null {
    const name = findRotatingParameter(url, found, hrefs)
    if (name === null || this.#allowedPatterns.has(`${host}/*?${name}`)) return null
    return { held: positionsOf(found, (link) => hasParameterNamed(link, name)), pattern: `${host}/*?${name}` }
  }

  /** Learns which patterns the store allows. */
  learnPatterns(reports: readonly PatternReport[]): void {
    for (const { pattern, state } of reports) {
      if (state === PATTERN_STATE.released || state === PATTERN_STATE.proven) this.#allowedPatterns.add(pattern)
    }
  }
}

/** Returns a sink for the text of the page; its title is already added. */
export function openSkeleton({ url, host, title, found }: Omit<TrapCandidate, 'skeletons' | 'hrefs'>): SkeletonSink {
  const sink = new SkeletonSink(collectUrlWords(url, host, found))
  sink.add(copyCodes(title), 0, title.length)
  sink.endBlock()
  return sink
}

/** Words of the page's URL, and of the links that have its pattern or are in its folder. */
function collectUrlWords(url: string, host: string, found: readonly FoundUrl[]): Set<number> {
  const urlWords = new Set<number>()
  addPathWords(url, urlWords)
  addQueryWords(url, urlWords)
  const pattern = toPathPattern(url)
  const folder = url.slice(0, url.lastIndexOf('/') + 1)
  let added = 0
  for (const link of found) {
    if (added === MAX_URLS_FOR_WORDS) break
    if (link.host !== host || (!link.url.startsWith(folder) && toPathPattern(link.url) !== pattern)) continue
    addPathWords(link.url, urlWords)
    addQueryWords(link.url, urlWords)
    added += 1
  }
  return urlWords
}

function repeatsAncestor({ exact, loose }: Skeleton, ancestors: readonly number[]): boolean {
  let looseMatches = 0
  for (let i = 0; i < ancestors.length; i += 2) {
    if (ancestors[i] === exact) return true
    if (ancestors[i + 1] === loose) looseMatches += 1
  }
  return looseMatches >= MIN_LOOSE_MATCHES
}

function positionsOf(found: readonly FoundUrl[], isHeld: (url: string) => boolean): Set<number> {
  return new Set(found.keys().filter((i) => isHeld(found[i]?.url ?? '')))
}
