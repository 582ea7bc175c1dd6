// Finds the words of a query in a text, as the index would: by their stems, without accents. For one query and one
// language; remembers the words it has stemmed.

import { IDEOGRAPH, INDEX_CHARACTER_CLASSES, UNSPACED } from '../analyse/character-classes.ts'
import { lookUpIndexTerm } from '../analyse/index-terms.ts'
import { toMarkedTerm } from '../analyse/word-segmenter.ts'
import { type HighlightTerms, termsInLanguage } from './highlight-terms.ts'
import { WordHeads } from './word-heads.ts'
import {
  dropNameSigns,
  hasNameDot,
  isLetter,
  NAME_TERM,
  nameSigns,
  startsWord,
  toDottedName,
  toNameSigns,
  toPlainWord,
  wordEnd,
} from './words-in-text.ts'

export interface TermMatch {
  start: number
  end: number
  /** The query words that the term represents: see HighlightTerms. */
  words: number
}

/** A text and its UTF-16 code units. */
export interface ScannedText {
  text: string
  codes: Uint16Array
}

interface TextRange {
  from: number
  to: number
}

/** Languages in which a stem may start with other letters than its word. */
const WITH_PREFIXES = new Set(['ar', 'ga', 'id', 'ta'])
/** A stem is at most this much longer than the prefix it shares with its word. */
const MAX_CHANGED = 2
const MIN_HEAD = 3
const IGNORED_IN_WORDS = /['\u2019\u00ad]/g

const classes = INDEX_CHARACTER_CLASSES

export class TermMatcher {
  /** The query words that each term represents, in this language. */
  readonly #terms: ReadonlyMap<string, number>
  readonly #prefixes: HighlightTerms['prefixes']
  readonly #lang: string | null
  readonly #heads: WordHeads
  /** Terms of alphabetic scripts without spaces, longest first. */
  readonly #unspaced: readonly string[]
  /** The query has ideographs, or words of scripts without spaces. */
  readonly #hasUnspaced: boolean
  readonly #hasNames: boolean
  readonly #wordsOf = new Map<string, number>()
  readonly #patterns = new Map<number, RegExp | null>()

  constructor(wanted: HighlightTerms, lang: string | null) {
    const { prefixes } = wanted
    this.#lang = lang
    this.#prefixes = prefixes
    this.#terms = termsInLanguage(wanted, lang)
    this.#heads = new WordHeads(
      [...this.#terms.keys()].map(dropNameSigns),
      prefixes,
      lang !== null && WITH_PREFIXES.has(lang),
    )
    const unspaced = [...this.#terms.keys()].filter((term) => classes[term.charCodeAt(0)] === UNSPACED)
    this.#unspaced = unspaced.sort((a, b) => b.length - a.length)
    this.#hasNames = [...this.#terms.keys()].some((term) => NAME_TERM.test(term))
    const all = [...this.#terms.keys(), ...prefixes.map(([prefix]) => prefix)]
    this.#hasUnspaced = all.some((term) => [IDEOGRAPH, UNSPACED].includes(classes[term.charCodeAt(0)] ?? 0))
  }

  /** Adds the matches that start between `from` and `to`, in order. A word that starts before `from` does not count. */
  find(scanned: ScannedText, from: number, to: number, matches: TermMatch[]): void {
    const before = matches.length
    this.#findWords(scanned, { from, to }, matches)
    if (!this.#hasUnspaced) return
    this.#findUnspaced(scanned, { from, to }, matches)
    const added = matches.splice(before).sort((a, b) => a.start - b.start)
    for (const match of added) matches.push(match)
  }

  /**
   * The next position at which one of these words may start, or -1. Takes a third of the time of `find`, but misses
   * words with unusual spellings: accents that the query does not have, or full width.
   */
  skipTo(text: string, words: number, from: number): number {
    let pattern = this.#patterns.get(words)
    if (pattern === undefined) {
      pattern = this.#patternOf(words)
      this.#patterns.set(words, pattern)
    }
    if (pattern === null) return from
    pattern.lastIndex = from
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      if (!isLetter(text.charCodeAt(found.index - 1))) return found.index
    }
    return -1
  }

  /** Null if the words may start with other letters than their terms. */
  #patternOf(words: number): RegExp | null {
    if (this.#hasUnspaced || (this.#lang !== null && WITH_PREFIXES.has(this.#lang))) return null
    const terms = [...this.#terms].filter(([, bits]) => (bits & words) !== 0).map(([term]) => headOf(term))
    const prefixes = this.#prefixes.filter(([, bits]) => (bits & words) !== 0).map(([prefix]) => prefix)
    const heads = [...new Set([...terms, ...prefixes])]
    return heads.length === 0 ? null : new RegExp(heads.join('|'), 'gi')
  }

  #findWords({ text, codes }: ScannedText, { from, to }: TextRange, matches: TermMatch[]): void {
    for (const start of this.#heads.findStarts(codes, from, to)) {
      if (!startsWord(codes, start, to)) continue
      const end = wordEnd(codes, start, to)
      const word = toPlainWord(text, codes, start, end)
      const signs = this.#hasNames ? nameSigns(text.slice(end, Math.min(end + 2, to))) : ''
      const ofName = signs === '' ? 0 : this.#matchWord(word + toNameSigns(signs))
      const ofDot = this.#hasNames && hasNameDot(codes, start) ? this.#matchWord(toDottedName(word)) : 0
      const words = ofName | ofDot | this.#matchWord(word)
      if (words === 0) continue
      matches.push({ start: ofDot === 0 ? start : start - 1, end: ofName === 0 ? end : end + signs.length, words })
    }
  }

  #findUnspaced({ text, codes }: ScannedText, { from, to }: TextRange, matches: TermMatch[]): void {
    const added: TermMatch[] = []
    for (let pos = from; pos < to; pos++) {
      const sign = classes[codes[pos] ?? 0] ?? 0
      if (sign === IDEOGRAPH) this.#matchIdeographs(text, pos, added)
      else if (sign === UNSPACED) pos = this.#matchUnspaced(text, pos, added)
    }
    for (const match of added) matches.push(match)
  }

  #matchWord(word: string): number {
    let words = this.#wordsOf.get(word)
    if (words === undefined) {
      words = this.#lookUp(word.replaceAll(IGNORED_IN_WORDS, ''))
      this.#wordsOf.set(word, words)
    }
    return words
  }

  #lookUp(word: string): number {
    const term = lookUpIndexTerm(word, this.#lang)
    let words = this.#terms.get(term) ?? 0
    for (const [prefix, bits] of this.#prefixes) {
      if (word.startsWith(prefix) || term.startsWith(prefix)) words |= bits
    }
    return words
  }

  /** Matches a pair of ideographs, or a single one if the query has it alone; adjacent matches become one range. */
  #matchIdeographs(text: string, pos: number, matches: TermMatch[]): void {
    const single = text.charAt(pos)
    const pair = text.slice(pos, pos + 2)
    const ofPair = this.#bitsOf(pair)
    let words = ofPair | this.#bitsOf(single)
    for (const [prefix, bits] of this.#prefixes) if (prefix === single) words |= bits
    if (words === 0) return
    const end = pos + (ofPair === 0 ? 1 : pair.length)
    const last = matches.at(-1)
    if (last === undefined || last.end < pos) {
      matches.push({ start: pos, end, words })
      return
    }
    last.end = Math.max(last.end, end)
    last.words |= words
  }

  #bitsOf(ideographs: string): number {
    return (this.#terms.get(ideographs) ?? 0) | (this.#terms.get(toMarkedTerm(ideographs)) ?? 0)
  }

  /** Returns the last position of the match, or `pos`. */
  #matchUnspaced(text: string, pos: number, matches: TermMatch[]): number {
    const term = this.#unspaced.find((one) => text.startsWith(one, pos))
    if (term === undefined) return pos
    matches.push({ start: pos, end: pos + term.length, words: this.#terms.get(term) ?? 0 })
    return pos + term.length - 1
  }
}

function headOf(term: string): string {
  if (NAME_TERM.test(term)) return dropNameSigns(term)
  return term.slice(0, Math.max(MIN_HEAD, term.length - MAX_CHANGED))
}
