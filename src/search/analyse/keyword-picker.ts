// Picks the words that distinguish a page: frequent on it, and rare on the pages seen lately.

import { stopWordsFor } from './stop-words.ts'
import { wordOfMarkedTerm } from './word-segmenter.ts'
import type { WordTable } from './word-table.ts'

const MAX_KEYWORDS = 10
const MIN_LETTERS = 3
const MIN_IDEOGRAPHS = 2
const TITLE_BONUS = 3
const IS_NUMBER = /^\d/

export class KeywordPicker {
  readonly #table: WordTable
  /**
   * Indexed by word number: pages that contain the word, and its occurrences on the current page. Interleaved, since
   * both are read together.
   */
  readonly #counts: Int32Array
  #pages = 0

  constructor(table: WordTable) {
    this.#table = table
    this.#counts = new Int32Array(2 * table.maxWords)
  }

  /** Counts words and appends new ones to `into`, in order; `pick` turns them into keywords. */
  countWords(ids: Int32Array, start: number, end: number, into: number[]): void {
    const counts = this.#counts
    for (let i = start; i < end; i++) {
      const id = ids[i] ?? 0
      const count = counts[2 * id + 1] ?? 0
      if (count === 0) into.push(id)
      counts[2 * id + 1] = count + 1
    }
  }

  /** The first `inTitle` words are from the title. Resets the counts of the page. */
  pick(distinct: readonly number[], inTitle: number, lang: string | null): string[] {
    this.#pages += 1
    const counts = this.#counts
    const best: ScoredWord[] = []
    let least = 0
    const mostRare = Math.log(1 + this.#pages)
    for (let i = 0; i < distinct.length; i++) {
      const id = distinct[i] ?? 0
      const count = (counts[2 * id + 1] ?? 0) * (i < inTitle ? TITLE_BONUS : 1)
      counts[2 * id + 1] = 0
      const seen = (counts[2 * id] ?? 0) + 1
      counts[2 * id] = seen
      // Skips most words by their count alone, which avoids a logarithm.
      if (best.length === MAX_KEYWORDS && count * mostRare <= least) continue
      const score = count * Math.log(1 + this.#pages / seen)
      if ((best.length === MAX_KEYWORDS && score <= least) || !this.#isKeyword(id, lang)) continue
      if (best.length === MAX_KEYWORDS) best.splice(leastOf(best), 1)
      best.push({ id, score })
      least = best[leastOf(best)]?.score ?? 0
    }
    const words = best.sort((a, b) => b.score - a.score).map(({ id }) => this.#table.wordOf(id))
    return words.map((word) => wordOfMarkedTerm(word) ?? word)
  }

  #isKeyword(id: number, lang: string | null): boolean {
    const word = this.#table.wordOf(id)
    const marked = wordOfMarkedTerm(word)
    if (marked !== null) return marked.length >= MIN_IDEOGRAPHS
    return word.length >= MIN_LETTERS && !IS_NUMBER.test(word) && !stopWordsFor(lang).has(word)
  }
}

interface ScoredWord {
  id: number
  score: number
}

/** Index of the lowest-scored word. */
function leastOf(list: readonly ScoredWord[]): number {
  let at = 0
  for (let i = 1; i < list.length; i++) if ((list[i]?.score ?? 0) < (list[at]?.score ?? 0)) at = i
  return at
}
