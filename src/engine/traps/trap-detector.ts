// Finds pages that repeat the pages which led to them, for one crawl thread. A trap is a pattern that reproduces itself:
// its pages keep leading to new URLs of their kind and say nothing new. So a page is compared with its own ancestors
// alone, which makes the answer depend on the site and not on the order of visits:
//
//   an urlWords     says the same as one of its ancestors but for numbers and dates, or the same as two of them but for
//               words that stand in its URLs too
//   nested      lies below copies of itself, as its own path and links show (nesting.ts)
//
// The links of an urlWords are held back, and so are the links of a nested page to pages below it and links that only vary
// a query (variations.ts). They are not in the ledger; the store lets some in when nothing else is left, and by what those bring decides about the rest
// (frontier/judge-pattern.ts).

import type { FoundUrl } from '../../ports/frontier.ts'
import type { PatternReport } from '../../ports/patterns.ts'
import { copyCodes } from '../parse/utf16-codes.ts'
import { isDirectoryListing } from './directory-listing.ts'
import { childPrefixOf, isNested } from './nesting.ts'
import { toPathPattern } from './path-pattern.ts'
import { findRotatingParameter, hasParameterNamed, queryPrefixOf } from './query-variations.ts'
import { type Skeleton, SkeletonSink } from './skeleton.ts'
import { addPathWords, addQueryWords } from './url-words.ts'

export interface TrapCandidate {
  url: string
  host: string
  /** Skeletons of the pages that led here, the nearest first: exact and loose by turns. */
  skeletons: readonly number[]
  title: string
  /** As written. */
  hrefs: Iterable<string>
  /** What they resolve against. */
  baseUrl: string
  /** URLs on this page that the thread had not seen before. */
  found: readonly FoundUrl[]
}

export interface TrapAssessment {
  /** For the pages that this one leads to. */
  skeletons: number[]
  /** Hashes of some of its lines; none of an urlWords. */
  lines: number[]
  /** Links to be held back, as positions in `found`, and the pattern that they are held as. */
  held: 'all' | ReadonlySet<number> | null
  pattern: string | null
}

/** Pairs of skeletons. */
const MAX_ANCESTORS = 4
/** Ancestors with the same loose skeleton that make an urlWords: pages of names alone nest in real sites, but not deeply. */
const MIN_LOOSE_MATCHES = 2
/** URLs of a page whose words are left out of its loose skeleton. */
const MAX_URLS_FOR_WORDS = 64
/** Lines that stand for a page: those with the lowest hashes, so that two pages are compared by the same ones. */
const MAX_LINES = 64

export class TrapDetector {
  /** Patterns that proved to lead on, or that the owner released. */
  readonly #allowedPatterns = new Set<string>()

  /** What links of this page begin with that vary its query; null when they may be followed. */
  heldQueryPrefix(pageUrl: string, host: string): string | null {
    const path = queryPrefixOf(pageUrl)
    return path === null || this.#allowedPatterns.has(host + toPathPattern(pageUrl)) ? null : path
  }

  /** `skeleton`: of its text, as read into what openSkeleton made. */
  assess(page: TrapCandidate, skeleton: Skeleton): TrapAssessment {
    const { url, host, skeletons: ancestors, found } = page
    const isListing = () => isDirectoryListing(page.title, url)
    const echoes = repeatsAncestor(skeleton, ancestors) && !isListing()
    const lines = echoes ? [] : skeleton.lines.sort((a, b) => a - b).slice(0, MAX_LINES)
    const grown = [skeleton.exact, skeleton.loose, ...ancestors].slice(0, MAX_ANCESTORS * 2)
    const trapAssessment: TrapAssessment = { skeletons: grown, lines, held: null, pattern: null }
    // Before echoes: a page under a new id repeats the one under the old id, and both belong to the same pattern.
    const rekeyed = this.#holdRotating(page)
    if (rekeyed !== null) return { ...trapAssessment, ...rekeyed }
    const pattern = host + toPathPattern(url)
    if (found.length === 0 || this.#allowedPatterns.has(pattern)) return trapAssessment
    if (echoes) return { ...trapAssessment, held: 'all', pattern }
    const below = childPrefixOf(url)
    const held = positionsOf(found, (link) => link.startsWith(below))
    if (held.size === 0 || isListing() || !isNested(url, page.baseUrl, page.hrefs)) return trapAssessment
    return { ...trapAssessment, held, pattern }
  }

  #holdRotating({ url, host, found, hrefs }: TrapCandidate): Pick<TrapAssessment, 'held' | 'pattern'> | null {
    const name = findRotatingParameter(url, found, hrefs)
    if (name === null || this.#allowedPatterns.has(`${host}/*?${name}`)) return null
    return { held: positionsOf(found, (link) => hasParameterNamed(link, name)), pattern: `${host}/*?${name}` }
  }

  /** What the store knows of patterns. */
  learnPatterns(reports: readonly PatternReport[]): void {
    for (const { pattern, state } of reports) {
      if (state === 'released' || state === 'open') this.#allowedPatterns.add(pattern)
    }
  }
}

/** Takes the text of the page, which is to be read into it. */
export function openSkeleton({ url, host, title, found }: Omit<TrapCandidate, 'skeletons' | 'hrefs'>): SkeletonSink {
  const sink = new SkeletonSink(collectUrlWords(url, host, found))
  sink.add(copyCodes(title), 0, title.length)
  sink.endBlock()
  return sink
}

/** Words of its URL, and of the URLs of its kind that it leads to. */
function collectUrlWords(url: string, host: string, found: readonly FoundUrl[]): Set<number> {
  const urlWords = new Set<number>()
  addPathWords(url, urlWords)
  addQueryWords(url, urlWords)
  const shape = toPathPattern(url)
  const folder = url.slice(0, url.lastIndexOf('/') + 1)
  let added = 0
  for (const link of found) {
    if (added === MAX_URLS_FOR_WORDS) break
    if (link.host !== host || (!link.url.startsWith(folder) && toPathPattern(link.url) !== shape)) continue
    addPathWords(link.url, urlWords)
    addQueryWords(link.url, urlWords)
    added += 1
  }
  return urlWords
}

function repeatsAncestor({ exact, loose }: Skeleton, ancestors: readonly number[]): boolean {
  let alike = 0
  for (let i = 0; i < ancestors.length; i += 2) {
    if (ancestors[i] === exact) return true
    if (ancestors[i + 1] === loose) alike += 1
  }
  return alike >= MIN_LOOSE_MATCHES
}

function positionsOf(found: readonly FoundUrl[], isHeld: (url: string) => boolean): Set<number> {
  return new Set(found.keys().filter((i) => isHeld(found[i]?.url ?? '')))
}
