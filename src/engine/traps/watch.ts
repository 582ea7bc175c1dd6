// Finds pages that repeat the pages which led to them, for one crawl thread. A trap is a pattern that reproduces itself:
// its pages keep leading to new URLs of their kind and say nothing new. So a page is compared with its own ancestors
// alone, which makes the answer depend on the site and not on the order of visits:
//
//   an echo     says the same as one of its ancestors but for numbers and dates, or the same as two of them but for
//               words that stand in its URLs too
//   nested      lies below copies of itself, as its own path and links show (nesting.ts)
//
// The links of an echo are held back, and so are the links of a nested page to pages below it and links that only vary
// a query (variations.ts). They are not in the ledger; the store lets some in when nothing else is left, and by what those bring decides about the rest
// (store/rows/judge-pattern.ts).

import type { FoundUrl } from '../../ports/frontier.ts'
import type { PatternReport } from '../../ports/patterns.ts'
import { copyCodes } from '../parse/codes.ts'
import { addPathEcho, addQueryEcho } from './echo.ts'
import { isDirectoryListing } from './listing.ts'
import { belowOf, isNested } from './nesting.ts'
import { shapeOf } from './shape.ts'
import { type Skeleton, SkeletonSink } from './skeleton.ts'
import { hasParameterNamed, rekeyedParameter, variedPath } from './variations.ts'

export interface WatchedPage {
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

export interface Judgement {
  /** For the pages that this one leads to. */
  skeletons: number[]
  /** Hashes of some of its lines; none of an echo. */
  lines: number[]
  /** Links to be held back, as positions in `found`, and the pattern that they are held as. */
  held: 'all' | ReadonlySet<number> | null
  pattern: string | null
}

/** Pairs of skeletons. */
const MAX_ANCESTORS = 4
/** Ancestors with the same loose skeleton that make an echo: pages of names alone nest in real sites, but not deeply. */
const MIN_LOOSE = 2
/** URLs of a page whose words are left out of its loose skeleton. */
const MAX_ECHOES = 64
/** Lines that stand for a page: those with the lowest hashes, so that two pages are compared by the same ones. */
const MAX_LINES = 64

export class TrapWatch {
  /** Patterns that proved to lead on, or that the owner released. */
  readonly #free = new Set<string>()

  /** What links of this page begin with that vary its query; null when they may be followed. */
  heldPath(pageUrl: string, host: string): string | null {
    const path = variedPath(pageUrl)
    return path === null || this.#free.has(host + shapeOf(pageUrl)) ? null : path
  }

  /** `skeleton`: of its text, as read into what openSkeleton made. */
  judge(page: WatchedPage, skeleton: Skeleton): Judgement {
    const { url, host, skeletons: ancestors, found } = page
    const isListing = () => isDirectoryListing(page.title, url)
    const echoes = isEcho(skeleton, ancestors) && !isListing()
    const lines = echoes ? [] : skeleton.lines.sort((a, b) => a - b).slice(0, MAX_LINES)
    const grown = [skeleton.exact, skeleton.loose, ...ancestors].slice(0, MAX_ANCESTORS * 2)
    const judgement: Judgement = { skeletons: grown, lines, held: null, pattern: null }
    // Before echoes: a page under a new id repeats the one under the old id, and both belong to the same pattern.
    const rekeyed = this.#holdRekeyed(page)
    if (rekeyed !== null) return { ...judgement, ...rekeyed }
    const pattern = host + shapeOf(url)
    if (found.length === 0 || this.#free.has(pattern)) return judgement
    if (echoes) return { ...judgement, held: 'all', pattern }
    const below = belowOf(url)
    const held = positionsOf(found, (link) => link.startsWith(below))
    if (held.size === 0 || isListing() || !isNested(url, page.baseUrl, page.hrefs)) return judgement
    return { ...judgement, held, pattern }
  }

  #holdRekeyed({ url, host, found, hrefs }: WatchedPage): Pick<Judgement, 'held' | 'pattern'> | null {
    const name = rekeyedParameter(url, found, hrefs)
    if (name === null || this.#free.has(`${host}/*?${name}`)) return null
    return { held: positionsOf(found, (link) => hasParameterNamed(link, name)), pattern: `${host}/*?${name}` }
  }

  /** What the store knows of patterns. */
  learn(reports: readonly PatternReport[]): void {
    for (const { pattern, state } of reports) {
      if (state === 'released' || state === 'open') this.#free.add(pattern)
    }
  }
}

/** Takes the text of the page, which is to be read into it. */
export function openSkeleton({ url, host, title, found }: Omit<WatchedPage, 'skeletons' | 'hrefs'>): SkeletonSink {
  const sink = new SkeletonSink(echoOf(url, host, found))
  sink.add(copyCodes(title), 0, title.length)
  sink.separate()
  return sink
}

/** Words of its URL, and of the URLs of its kind that it leads to. */
function echoOf(url: string, host: string, found: readonly FoundUrl[]): Set<number> {
  const echo = new Set<number>()
  addPathEcho(url, echo)
  addQueryEcho(url, echo)
  const shape = shapeOf(url)
  const folder = url.slice(0, url.lastIndexOf('/') + 1)
  let added = 0
  for (const link of found) {
    if (added === MAX_ECHOES) break
    if (link.host !== host || (!link.url.startsWith(folder) && shapeOf(link.url) !== shape)) continue
    addPathEcho(link.url, echo)
    addQueryEcho(link.url, echo)
    added += 1
  }
  return echo
}

function isEcho({ exact, loose }: Skeleton, ancestors: readonly number[]): boolean {
  let alike = 0
  for (let i = 0; i < ancestors.length; i += 2) {
    if (ancestors[i] === exact) return true
    if (ancestors[i + 1] === loose) alike += 1
  }
  return alike >= MIN_LOOSE
}

function positionsOf(found: readonly FoundUrl[], isHeld: (url: string) => boolean): Set<number> {
  return new Set(found.keys().filter((i) => isHeld(found[i]?.url ?? '')))
}
