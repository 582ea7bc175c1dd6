// Finds the window of a text with the most words of the query.

import { bitsOf, countBits, type HighlightTerms } from './highlight-terms.ts'
import { isProse, MAX_PASSAGE } from './passage.ts'
import type { TermMatch } from './term-matcher.ts'

/** Matches this far apart fit into a passage. */
export const SPAN = MAX_PASSAGE - 20

/** Finds the window with the most words. Among equals, it prefers a sentence, then words side by side. */
export class WindowSearch {
  readonly matches: TermMatch[] = []
  best: { first: number; last: number } | null = null
  #score = 0
  #next = 0
  /** A passage has as many words as it can show. */
  hasEnoughWords = false
  /** The query is long, and one passage has some words of it. */
  hasSomeWords = false
  /** Whether the best window is a sentence that has the words side by side. */
  isSatisfied = false
  /** Number of words in the best passage. */
  #words = 0
  /** Matches per word. */
  readonly #counts = new Map<number, number>()
  readonly #text: string
  readonly #allWords: number
  /** Words that a passage should have. */
  readonly #wanted: number

  constructor(text: string, { allWords }: HighlightTerms) {
    this.#text = text
    this.#allWords = allWords
    this.#wanted = Math.min(countBits(allWords), MAX_WANTED)
  }

  /** Examines the windows that start before `limit`. */
  update(limit: number): void {
    const { matches } = this
    for (; this.#next < matches.length; this.#next++) {
      const first = matches[this.#next]
      if (first === undefined || first.start >= limit) return
      this.#examine(first)
    }
  }

  /** The rarest words, enough of them that every passage with more words than the best contains one. */
  rarestWords(): number {
    const lacking = countBits(this.#allWords) - countBits(this.#words)
    const bits = bitsOf(this.#allWords)
    const byCount = bits.sort((a, b) => (this.#counts.get(a) ?? 0) - (this.#counts.get(b) ?? 0))
    return byCount.slice(0, lacking).reduce((sum, bit) => sum | bit, 0)
  }

  #examine(first: TermMatch): void {
    for (const bit of bitsOf(first.words)) this.#counts.set(bit, (this.#counts.get(bit) ?? 0) + 1)
    const { matches } = this
    let [words, adjacent, count, last] = [0, 0, 0, first]
    for (let i = this.#next; i < matches.length; i++) {
      const match = matches[i]
      if (match === undefined || match.end > first.start + SPAN) break
      if (count > 0 && match.start - last.end <= MAX_GAP && match.words !== last.words) adjacent++
      // A window ends with the last match that adds a word.
      if ((match.words & ~words) !== 0 || count === 0) last = match
      words |= match.words
      count++
    }
    const distinct = countBits(words)
    const possible = score(distinct, MAX_ADJACENT, MAX_COUNT, true)
    if (possible <= this.#score) return
    const prose = isProse(this.#text, first.start) && isProse(this.#text, last.start)
    const reached = score(distinct, Math.min(adjacent, MAX_ADJACENT), Math.min(count, MAX_COUNT), prose)
    if (reached <= this.#score) return
    this.#score = reached
    this.best = { first: first.start, last: last.end }
    this.#words = words
    this.hasEnoughWords = distinct >= this.#wanted
    this.hasSomeWords = this.#wanted === MAX_WANTED && distinct >= MIN_WANTED
    this.isSatisfied = this.hasEnoughWords && prose && adjacent >= Math.min(distinct - 1, MAX_ADJACENT)
  }
}

/** A passage with this many words of a long query shows what a page is about. */
const MAX_WANTED = 5
const MIN_WANTED = 2
const MAX_GAP = 2
const MAX_ADJACENT = 3
const MAX_COUNT = 4

function score(distinct: number, adjacent: number, count: number, prose: boolean): number {
  return distinct * 100 + (prose ? 40 : 0) + adjacent * 10 + count
}
