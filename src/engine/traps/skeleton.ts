// The skeleton of a page: hashes of its text that are equal for all pages made from the same template. Numbers, dates and
// months are left out. The loose hash also leaves out words that are part of the page's URL or of its links, so that
// "nothing found at /old/x" and a room of a maze with made-up names look like their neighbours. Image addresses are
// included: the pages of an album may differ in nothing else.

import type { TextSink } from '../parse/text-feed.ts'
import { isDateWord } from './date-words.ts'
import { charKind, DIGIT, IDEOGRAPH, LETTER } from './word-scanner.ts'

export interface Skeleton {
  exact: number
  loose: number
  /** Distinct hashes of the first lines and parts of long lines, without numbers. */
  lineHashes: number[]
  /**
   * The same of lines that are only numbers, as in tables. Numbers of one or two digits, years and numbers that are part
   * of a URL do not count, since calendars consist of them.
   */
  numberLineHashes: number[]
}

const MAX_LINES = 256
/** A longer paragraph counts as several lines: it is more content than an entry of a menu. */
const MAX_WORDS_OF_LINE = 16
const MAX_SRC = 256
const EMPTY_WORD = 0x811c9dc5 | 0
const PRIME = 0x01000193
/** Replaces any run of numbers, dates and left-out words. */
const PLACEHOLDER = 0x5bd1e995

const ZERO = 48
const [LOWER_I, LOWER_M, LOWER_G] = [105, 109, 103]
const [QUOTE, APOSTROPHE, EQUALS, QUESTION, GREATER] = [34, 39, 61, 63, 62]

/** Builds the skeleton of one page. */
export class SkeletonSink implements TextSink {
  readonly #urlWords: ReadonlySet<number>
  #word = EMPTY_WORD
  #isNumber = false
  #digits = 0
  #value = 0
  #exact = 0
  #loose = 0
  #line = 0
  #wordsOfLine = 0
  #numbers = 0
  #hasUrlNumber = false
  #lastExact = 0
  #lastLoose = 0
  readonly #lines = new Set<number>()
  readonly #numberLines = new Set<number>()

  /** `urlWords`: hashes of words in URLs, which the loose hash leaves out. */
  constructor(urlWords: ReadonlySet<number>) {
    this.#urlWords = urlWords
  }

  add(codes: Uint16Array, start: number, end: number): void {
    let word = this.#word
    for (let pos = start; pos < end; pos++) {
      const code = codes[pos] as number
      const kind = charKind(code)
      if (kind === LETTER) word = Math.imul(word ^ (code < 128 ? code | 32 : code), PRIME)
      else if (kind === DIGIT) {
        this.#isNumber = true
        this.#digits += 1
        this.#value = this.#value * 10 + code - ZERO
        word = Math.imul(word ^ (code | 32), PRIME)
      } else {
        this.#word = word
        if (word !== EMPTY_WORD) this.#endWord()
        word = EMPTY_WORD
        if (kind === IDEOGRAPH) this.#addWord(Math.imul(EMPTY_WORD ^ code, PRIME), false)
      }
    }
    this.#word = word
  }

  endBlock(): void {
    if (this.#word !== EMPTY_WORD) this.#endWord()
    if (this.#line !== 0) this.#endLine()
    else if (this.#numbers !== 0 && !this.#hasUrlNumber && this.#numberLines.size < MAX_LINES)
      this.#numberLines.add(this.#numbers)
    this.#numbers = 0
    this.#hasUrlNumber = false
  }

  #endLine(): void {
    if (this.#lines.size < MAX_LINES) this.#lines.add(this.#line)
    this.#line = 0
    this.#wordsOfLine = 0
  }

  /** Of all tags only images count, by their address without the query. */
  tag(codes: Uint16Array, start: number, end: number): void {
    if (end - start !== 3 || ((codes[start] as number) | 32) !== LOWER_I) return
    if (((codes[start + 1] as number) | 32) !== LOWER_M || ((codes[start + 2] as number) | 32) !== LOWER_G) return
    const src = hashSrc(codes, end)
    if (src === EMPTY_WORD) return
    this.endBlock()
    this.#exact = mixHash(this.#exact, src)
    this.#loose = mixHash(this.#loose, src)
    this.#line = src
    this.endBlock()
  }

  finish(): Skeleton {
    this.endBlock()
    const [lineHashes, numberLineHashes] = [[...this.#lines], [...this.#numberLines]]
    return { exact: this.#exact, loose: this.#loose, lineHashes, numberLineHashes }
  }

  #endWord(): void {
    this.#addWord(this.#word, this.#isNumber)
    this.#word = EMPTY_WORD
    this.#isNumber = false
    this.#digits = 0
    this.#value = 0
  }

  #addWord(word: number, isNumber: boolean): void {
    const exact = isNumber || isDateWord(word) ? PLACEHOLDER : word
    const loose = exact !== PLACEHOLDER && this.#urlWords.has(word) ? PLACEHOLDER : exact
    if (exact !== PLACEHOLDER) {
      this.#line = mixHash(this.#line, exact)
      this.#wordsOfLine += 1
      if (this.#wordsOfLine === MAX_WORDS_OF_LINE) this.#endLine()
    } else if (this.#urlWords.has(word)) this.#hasUrlNumber = true
    else if (this.#digits > 2 && !isYear(this.#value)) this.#numbers = mixHash(this.#numbers, word)
    // A run of placeholders counts once, whatever its length.
    if (exact !== PLACEHOLDER || this.#lastExact !== PLACEHOLDER) this.#exact = mixHash(this.#exact, exact)
    if (loose !== PLACEHOLDER || this.#lastLoose !== PLACEHOLDER) this.#loose = mixHash(this.#loose, loose)
    this.#lastExact = exact
    this.#lastLoose = loose
  }
}

function isYear(value: number): boolean {
  return value >= 1900 && value < 2200
}

/** Hash of the `src` attribute of the tag whose name ends at `at`; EMPTY_WORD if it has none. */
function hashSrc(codes: Uint16Array, at: number): number {
  const end = Math.min(codes.length, at + MAX_SRC)
  for (let pos = at; pos < end && codes[pos] !== GREATER; pos++) {
    if (codes[pos] !== EQUALS || !isSrc(codes, pos)) continue
    let hash = EMPTY_WORD
    const first = codes[pos + 1]
    for (pos += first === QUOTE || first === APOSTROPHE ? 2 : 1; pos < end; pos++) {
      const code = codes[pos] as number
      if (code === QUOTE || code === APOSTROPHE || code === QUESTION || code === GREATER || code <= 32) break
      hash = Math.imul(hash ^ code, PRIME)
    }
    return hash
  }
  return EMPTY_WORD
}

function isSrc(codes: Uint16Array, equals: number): boolean {
  const [s, r, c] = [codes[equals - 3] ?? 0, codes[equals - 2] ?? 0, codes[equals - 1] ?? 0]
  return (s | 32) === 115 && (r | 32) === 114 && (c | 32) === 99
}

function mixHash(hash: number, word: number): number {
  return Math.imul(((hash << 15) | (hash >>> 17)) ^ word, 0x85ebca77)
}
