// Splits text into words, returned as numbers of a word table. Alphabetic text is split at word boundaries. Ideographs,
// kana and Hangul become overlapping pairs; the last of a run also stands alone, so that each of them starts a term.
// Scripts without spaces are split by a dictionary.

import { IDEOGRAPH, IGNORED, INDEX_CHARACTER_CLASSES, LAST_MARK, UNSPACED } from './character-classes.ts'
import type { WordTable } from './word-table.ts'

/** Longer words are truncated: nobody searches for them, and they would fill the table. */
export const MAX_WORD_LENGTH = 40
const MAX_RUN = 2000
const APOSTROPHES = new Set([0x27, 0x2019])
/** "don't" and "John's" are one word, "l'été" and "dell'arte" are two. */
const MIN_BEFORE = 3
const MAX_AFTER = 2

// The compiler inlines module constants in a loop, but looks up imported ones in every iteration.
const classes = INDEX_CHARACTER_CLASSES
const lastMark = LAST_MARK

export class Tokeniser {
  readonly #table: WordTable
  readonly #letters = new Uint16Array(MAX_WORD_LENGTH)
  readonly #run: number[] = []
  /** Created on first use, because it is slow to create. */
  #segmenter: Intl.Segmenter | null = null
  #length = 0
  /** Number of letters before the first apostrophe. */
  #apostrophe = 0
  #previous = 0
  /** Word numbers, in order. */
  ids = new Int32Array(4096)
  count = 0

  constructor(table: WordTable) {
    this.#table = table
  }

  /** Includes the word that has not ended yet. */
  get countWithCurrent(): number {
    return this.count + (this.#length > 0 || this.#previous !== 0 || this.#run.length > 0 ? 1 : 0)
  }

  /** UTF-16 text; a word may continue in the next call. */
  add(codes: Uint16Array, start: number, end: number): void {
    const letters = this.#letters
    for (let pos = start; pos < end; pos++) {
      let length = this.#length
      if (this.#previous === 0 && this.#run.length === 0) {
        for (; pos < end; pos++) {
          const sign = classes[codes[pos] ?? 0] ?? 0
          if (sign <= lastMark) break
          if (length < MAX_WORD_LENGTH) letters[length++] = sign
        }
        this.#length = length
        if (pos === end) return
      }
      this.#addNonLetter(codes[pos] ?? 0)
    }
  }

  /** Ends the current word and the current run of ideographs. */
  flush(): void {
    if (this.#length > 0) this.#endWord()
    if (this.#previous !== 0) {
      this.#push([this.#previous])
      this.#previous = 0
    }
    if (this.#run.length > 0) this.#endRun()
  }

  #addNonLetter(code: number): void {
    const sign = classes[code] ?? 0
    if (sign === IDEOGRAPH) {
      if (this.#length > 0 || this.#run.length > 0) this.flush()
      if (this.#previous !== 0) this.#push([this.#previous, code])
      this.#previous = code
    } else if (sign === UNSPACED) {
      if (this.#length > 0 || this.#previous !== 0) this.flush()
      this.#run.push(code)
      if (this.#run.length >= MAX_RUN) this.#endRun()
    } else if (sign === IGNORED) {
      if (this.#apostrophe === 0 && APOSTROPHES.has(code)) this.#apostrophe = this.#length
    } else if (sign > LAST_MARK) {
      this.flush()
      this.#letters[this.#length++] = sign
    } else {
      this.flush()
    }
  }

  #endWord(): void {
    const before = this.#apostrophe
    const after = this.#length - before
    if (before > 0 && after > 0 && (before < MIN_BEFORE || after > MAX_AFTER)) {
      const letters = this.#letters.slice(0, this.#length)
      this.#push(letters.subarray(0, before))
      this.#push(letters.subarray(before))
    } else {
      this.#add(this.#letters, this.#length)
    }
    this.#length = 0
    this.#apostrophe = 0
  }

  #endRun(): void {
    const text = String.fromCharCode(...this.#run)
    this.#run.length = 0
    this.#segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
    for (const { segment, isWordLike } of this.#segmenter.segment(text)) {
      if (isWordLike) this.#push(Array.from(segment.slice(0, MAX_WORD_LENGTH), (letter) => letter.charCodeAt(0)))
    }
  }

  #push(codes: ArrayLike<number>): void {
    this.#add(Uint16Array.from(codes), codes.length)
  }

  #add(letters: Uint16Array, length: number): void {
    const id = this.#table.idOf(letters, length)
    if (id === -1) return
    if (this.count === this.ids.length) {
      const longer = new Int32Array(this.count * 2)
      longer.set(this.ids)
      this.ids = longer
    }
    this.ids[this.count++] = id
  }
}
