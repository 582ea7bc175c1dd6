// Rules out most words of a text by their first three letters, before a string is created and stemmed. Works in two
// steps: a scan looks at each letter alone, without branches, at 2 ns a character where testing word by word took 6
// (2026-11); each match is then compared with the complete heads.

import { COMPOSED, foldAccents, IGNORED, INDEX_CHARACTER_CLASSES, LAST_MARK } from '../analyse/character-classes.ts'
import type { HighlightTerms } from './highlight-terms.ts'

/** Bits that classify a code unit. */
const FIRST = 1
const LETTER = 2
const SECOND = 4
const THIRD = 8
/** Expands to several letters, or changes the previous one: the word is always looked up. */
const UNCLEAR = 16
/** State before the first code unit. */
const NO_LETTER_BEFORE = LETTER << 24
const CODES = 0x10000
const SIZE = 4096
/** The end of a stem may differ from its word: "city" becomes "citi". */
const MIN_STEM = 4

const classes = INDEX_CHARACTER_CLASSES
const lastMark = LAST_MARK

export class WordHeads {
  /** Classes of code units. */
  readonly #kinds: Uint8Array
  /** The bits of three code units that a word must start with. */
  #required = (FIRST << 16) | (SECOND << 8) | THIRD
  /** Heads of one, two and three letters, in slots by hash. Null: any word may match. */
  readonly #heads: Uint8Array | null

  /** With `isAnyWord` a stem may start with other letters than its word. */
  constructor(terms: readonly string[], prefixes: HighlightTerms['prefixes'], isAnyWord: boolean) {
    const { base, variants } = letterTable()
    this.#kinds = base.slice()
    this.#heads = isAnyWord ? null : new Uint8Array(SIZE)
    if (isAnyWord) {
      this.#required = FIRST << 16
      for (const [code, kind] of base.entries()) if ((kind & LETTER) !== 0) this.#kinds[code] = kind | FIRST
      return
    }
    for (const term of terms) this.#add(term, term.length >= MIN_STEM ? 3 : 2, variants)
    for (const [prefix] of prefixes) this.#add(foldAccents(prefix), 3, variants)
  }

  #add(term: string, wanted: number, variants: LetterVariants): void {
    const length = Math.min(wanted, term.length)
    const letters = [0, 1, 2].map((i) => (i < length ? term.charCodeAt(i) : 0))
    const [a = 0, b = 0, c = 0] = letters
    if (this.#heads !== null) this.#heads[hash(a, b, c)] = 1
    for (const [i, kind] of [FIRST, SECOND, THIRD].entries()) {
      if (i >= length) this.#required &= ~(kind << (16 - 8 * i))
      else for (const code of variants.get(letters[i] ?? 0) ?? []) this.#kinds[code] = (this.#kinds[code] ?? 0) | kind
    }
  }

  /** Positions between `from` and `to` at which a word may match, in order. */
  findStarts(codes: Uint16Array, from: number, to: number): number[] {
    const kinds = this.#kinds
    const required = this.#required | NO_LETTER_BEFORE
    const starts: number[] = []
    let state = 0
    let seen = 0
    for (let pos = from; pos < to; pos++) {
      const kind = kinds[codes[pos] ?? 0] ?? 0
      state = (state << 8) | kind
      seen |= kind
      if (((state ^ NO_LETTER_BEFORE) & required) === required) starts.push(pos - 2)
    }
    for (let pos = to; pos < to + 2; pos++) {
      state = (state << 8) | SECOND | THIRD
      if (((state ^ NO_LETTER_BEFORE) & required) === required) starts.push(pos - 2)
    }
    const likely = starts.filter((start) => this.#mayMatch(codes, start, to))
    return (seen & UNCLEAR) === 0 ? likely : this.#addUnclearWords(codes, { from, to }, likely)
  }

  #addUnclearWords(codes: Uint16Array, { from, to }: { from: number; to: number }, starts: number[]): number[] {
    const all = new Set(starts)
    for (let pos = from; pos < to; pos++) {
      if (((this.#kinds[codes[pos] ?? 0] ?? 0) & UNCLEAR) === 0) continue
      let start = pos
      while (start > from && ((this.#kinds[codes[start - 1] ?? 0] ?? 0) & LETTER) !== 0) start--
      all.add(start)
    }
    return [...all].sort((a, b) => a - b)
  }

  #mayMatch(codes: Uint16Array, pos: number, end: number): boolean {
    const heads = this.#heads
    if (heads === null) return true
    const a = headLetter(codes, pos, end)
    const b = headLetter(codes, pos + 1, end)
    const c = headLetter(codes, pos + 2, end)
    if (a === UNKNOWN || b === UNKNOWN || c === UNKNOWN) return true
    return heads[hash(a, b, c)] === 1 || heads[hash(a, b, 0)] === 1 || heads[hash(a, 0, 0)] === 1
  }
}

const UNKNOWN = -1

/** The letter without its accent, 0 if it is none, or UNKNOWN if only its whole word can be folded. */
function headLetter(codes: Uint16Array, pos: number, end: number): number {
  const sign = pos < end ? (classes[codes[pos] ?? 0] ?? 0) : 0
  if (sign <= lastMark) return sign === COMPOSED || sign === IGNORED ? UNKNOWN : 0
  return foldLetter(sign)
}

function foldLetter(sign: number): number {
  if (sign < 0x80) return sign
  const letters = foldAccents(String.fromCharCode(sign))
  return letters.length === 1 ? letters.charCodeAt(0) : UNKNOWN
}

function hash(a: number, b: number, c: number): number {
  return (Math.imul(a, 961) + Math.imul(b, 31) + c) & (SIZE - 1)
}

type LetterVariants = ReadonlyMap<number, readonly number[]>

interface LetterTable {
  /** The kinds of each code unit for any query. */
  base: Uint8Array
  /** Code units by folded letter: both cases, with accents, in full width. */
  variants: LetterVariants
}

const tables: LetterTable[] = []

/** Built by the first query of a thread. */
function letterTable(): LetterTable {
  const table = tables[0] ?? buildLetterTable()
  tables[0] = table
  return table
}

function buildLetterTable(): LetterTable {
  const base = new Uint8Array(CODES)
  const variants = new Map<number, number[]>()
  for (let code = 0; code < CODES; code++) {
    const sign = classes[code] ?? 0
    const letter = sign > lastMark ? foldLetter(sign) : 0
    if (sign === IGNORED) base[code] = SECOND | THIRD
    else if (sign === COMPOSED || letter === UNKNOWN) base[code] = isSurrogate(code) ? 0 : LETTER | UNCLEAR
    else if (letter !== 0) {
      base[code] = LETTER
      variants.set(letter, [...(variants.get(letter) ?? []), code])
    }
  }
  return { base, variants }
}

export function isSurrogate(code: number): boolean {
  return (code & 0xf800) === 0xd800
}
