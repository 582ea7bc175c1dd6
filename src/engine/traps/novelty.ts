// How much of a page's text is new to its host. Compared are runs of three words and whole lines, never across the end
// of a line, so that the order of blocks makes no difference: a filtered list of known products has nothing new. The
// lines are for sites whose whole vocabulary is known after some pages, but not all that is said with it.

import { isDateWord } from './dates.ts'
import type { ShingleSet } from './shingle-set.ts'
import { Words } from './words.ts'

/** What is new counts up to here: enough is enough, and one page shall not flood the memory of its host. */
export const MAX_NEW = 256
/** Words looked at: some 400 KB of text. */
const MAX_WORDS = 1 << 16

export interface Novelty {
  /** Runs and lines compared. */
  total: number
  fresh: number
  /** Whether no page before had these very lines; and whether none had them with the same numbers. */
  isNewPage: boolean
  isNewWithNumbers: boolean
}

/** Stands for every word that says nothing. */
const NOTHING = 0x5bd1e995

/** Adds what is new to `seen`. Numbers, dates and the words in `echo`, which come from the url, say nothing. */
export function measureNovelty(text: string, seen: ShingleSet, echo: ReadonlySet<number>): Novelty {
  const words = new Words(text)
  const lines = new LineReader(seen)
  const hasEcho = echo.size > 0
  let withNumbers = 1
  for (let count = 0; count < MAX_WORDS && lines.fresh < MAX_NEW && words.next(); count++) {
    if (words.startsLine) lines.end()
    const { hash, isNumber } = words
    const isEcho = hasEcho && echo.has(hash)
    if (!isEcho) withNumbers = join(withNumbers, hash)
    lines.add(isNumber || isEcho || isDateWord(hash) ? NOTHING : hash)
  }
  lines.end()
  const isNewWithNumbers = seen.add(spread(withNumbers))
  return { total: lines.total, fresh: lines.fresh, isNewPage: seen.add(spread(lines.page)), isNewWithNumbers }
}

class LineReader {
  readonly #seen: ShingleSet
  total = 0
  fresh = 0
  page = 0
  #words = 0
  #hash = 0
  #last = 0
  #beforeLast = 0

  constructor(seen: ShingleSet) {
    this.#seen = seen
  }

  add(word: number): void {
    // Rows of numbers are as good as one.
    if (word === NOTHING && this.#last === NOTHING) return
    this.#words += 1
    this.#hash = join(this.#hash, word)
    if (this.#words > 2) this.#compare(join(join(this.#beforeLast, this.#last), word))
    this.#beforeLast = this.#last
    this.#last = word
  }

  /** A line of three words has been compared as a run. */
  end(): void {
    const saysNothing = this.#words === 0 || (this.#words === 1 && this.#last === NOTHING)
    if (!saysNothing) {
      this.page = join(this.page, this.#hash)
      if (this.#words !== 3) this.#compare(this.#hash)
    }
    this.#words = 0
    this.#hash = 0
    this.#last = 0
  }

  #compare(hash: number): void {
    this.total += 1
    if (this.#seen.add(spread(hash))) this.fresh += 1
  }
}

function join(hash: number, word: number): number {
  return Math.imul(((hash << 15) | (hash >>> 17)) ^ word, 0x85ebca77)
}

function spread(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0xc2b2ae3d)
}
