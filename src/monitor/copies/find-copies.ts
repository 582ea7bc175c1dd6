// Finds passages of a page that are copied from protected documents, also if some of their words were edited. Grams that
// the page and a document have in common make a chain if they follow each other in both, at nearly the same distance. A
// chain is a copy if it is long enough and has enough of the words.

import type { TextWords } from '../text-words.ts'
import { GRAM_WORDS, type GramIndex, hashGram } from './gram-index.ts'

export interface Copy {
  /** Words of the page: from the first, up to but not including the last. */
  start: number
  end: number
  /** Position in the words of all documents. */
  from: number
  to: number
  /** Words of the page that are the same in the document. */
  same: number
}

export interface CopyThresholds {
  /** Words from the first to the last of a passage. */
  minSpan: number
  /** Equal words in it. */
  minSame: number
}

/** Words between two grams of a chain. */
const MAX_GAP = 20
/** Words that were inserted or left out between two grams of a chain. */
const MAX_DRIFT = 8
/** Chains are looked up by their distance, in classes of this width. It is more than MAX_DRIFT. */
const WIDTH_LOG = 4
/** Grams in common that a window must have besides the first one, so that their places are looked up. */
const WINDOW_WORDS = 48
const MIN_IN_WINDOW = 6
/** Chains of a page; a page with more repeats itself. */
const MAX_CHAINS = 20_000
/** Chains of one class that may go on. */
const MAX_OPEN = 8
const USED = -1

export function findCopies({ hashes, count }: TextWords, index: GramIndex, thresholds: CopyThresholds): Copy[] {
  const candidates = index.findCandidates(hashes, count)
  const finder = new ChainFinder(index)
  /** Candidates up to here are passed on. */
  let done = 0
  for (let last = MIN_IN_WINDOW; last < candidates.length; last++) {
    const first = last - MIN_IN_WINDOW
    if ((candidates[last] ?? 0) - (candidates[first] ?? 0) > WINDOW_WORDS) continue
    for (done = Math.max(done, first); done <= last; done++) {
      const at = candidates[done] ?? 0
      finder.add(at, hashGram(hashes, at))
    }
  }
  return finder.chains.filter(({ start, end, same }) => end - start >= thresholds.minSpan && same >= thresholds.minSame)
}

class ChainFinder {
  readonly chains: Copy[] = []
  readonly #index: GramIndex
  /** Chains that may go on, by class of distance. */
  readonly #open = new Map<number, Copy[]>()
  readonly #places: number[] = []

  constructor(index: GramIndex) {
    this.#index = index
  }

  add(at: number, gram: number): void {
    const places = this.#places
    this.#index.placesOf(gram, places)
    // In a text that repeats itself, several places fit. The place at the same distance comes first.
    for (let i = 0; i < places.length; i++) {
      const place = places[i] ?? 0
      if (this.#extend(at, place, 0)) places[i] = USED
    }
    for (const place of places) {
      if (place !== USED && !this.#extend(at, place, MAX_DRIFT)) this.#begin(at, place)
    }
  }

  #extend(at: number, place: number, maxDrift: number): boolean {
    const width = (place - at) >> WIDTH_LOG
    const chain =
      this.#find(width, at, place, maxDrift) ??
      (maxDrift === 0 ? null : this.#find(width - 1, at, place, maxDrift)) ??
      (maxDrift === 0 ? null : this.#find(width + 1, at, place, maxDrift))
    if (chain === null) return false
    const before = (chain.to - chain.end) >> WIDTH_LOG
    chain.same += Math.min(at + GRAM_WORDS - chain.end, place + GRAM_WORDS - chain.to, GRAM_WORDS)
    chain.end = at + GRAM_WORDS
    chain.to = place + GRAM_WORDS
    if (before !== width) {
      this.#open.get(before)?.splice(this.#open.get(before)?.indexOf(chain) ?? 0, 1)
      this.#openIn(width, chain)
    }
    return true
  }

  #begin(at: number, place: number): void {
    if (this.chains.length >= MAX_CHAINS) return
    const chain = { start: at, end: at + GRAM_WORDS, from: place, to: place + GRAM_WORDS, same: GRAM_WORDS }
    this.chains.push(chain)
    this.#openIn((place - at) >> WIDTH_LOG, chain)
  }

  #openIn(width: number, chain: Copy): void {
    const open = this.#open.get(width)
    if (open === undefined) this.#open.set(width, [chain])
    else {
      const live = open.filter(({ end }) => chain.end - end <= MAX_GAP)
      live.push(chain)
      this.#open.set(width, live.slice(-MAX_OPEN))
    }
  }

  /** The chain that this gram continues: it follows in the page and in the document, at nearly the same distance. */
  #find(width: number, at: number, place: number, maxDrift: number): Copy | null {
    const open = this.#open.get(width)
    if (open === undefined) return null
    let best: Copy | null = null
    let bestDrift = maxDrift + 1
    for (const chain of open) {
      const gap = at + GRAM_WORDS - chain.end
      const gapThere = place + GRAM_WORDS - chain.to
      const drift = Math.abs(gap - gapThere)
      if (gap > 0 && gapThere > 0 && gap <= MAX_GAP && drift < bestDrift) {
        best = chain
        bestDrift = drift
      }
    }
    return best
  }
}
