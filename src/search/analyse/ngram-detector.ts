// Detects languages like eld (version 2.1, small data), from n-grams of the UTF-8 bytes of a text. eld itself collects
// them as properties of objects and takes five times as long.

import { backOf, frontOf, MAX_LETTERS, type PackedNgramData } from './packed-ngrams.ts'

export interface DetectorData extends PackedNgramData {
  separators: RegExp
  /** Letters that bytes above 0x7f represent. */
  dictionary: readonly string[]
  /** Average score of the texts of each language. */
  averageScores: Readonly<Record<string, number>>
}

const SPACE = 32
const MAX_TEXT = 1000
/** The text ends with the first word after this many bytes, or with any character. */
const SOFT_LIMIT = 350
const HARD_LIMIT = 380
const MAX_WORD = 70
const MIN_NGRAMS = 3
/** eld subtracts it from the scores in its data. */
const BASE_SCORE = 53
const SCALE = 25
const MIN_RATIO = 0.75
const MIN_LEAD = 0.01
/** A text of about 130 Latin or 60 other letters has so many n-grams; the best language is then the right one for 98%. */
const MIN_CERTAIN_NGRAMS = 32
/**
 * A shorter text may also be in any language whose score is not lower than the best by this, divided by the square root
 * of the number of n-grams. Of 4,700 texts of 40 characters, the best language is wrong for 7%; of the 56% that leave
 * only one, for 1% (2026-11).
 */
const CERTAIN_LEAD = 0.4
/** Bytes of the longest character. */
const MAX_BYTES = 4

/** Holds working memory; detects one text at a time. */
export class NgramDetector {
  readonly #data: DetectorData
  readonly #letterOf = new Uint8Array(256)
  readonly #word = new Uint8Array(HARD_LIMIT + MAX_BYTES + 1)
  readonly #ngram = new Uint8Array(MAX_LETTERS)
  readonly #scores: Float64Array
  /** Numbers that combine both parts of an n-gram's name. */
  readonly #seen = new Set<number | string>()

  constructor(data: DetectorData) {
    this.#data = data
    this.#scores = new Float64Array(data.languages.length)
    for (let byte = 0; byte < 256; byte++) this.#letterOf[byte] = data.dictionary[byte]?.charCodeAt(0) ?? 0
  }

  /** The languages that the text may be in, the most likely first. Empty if none is likely. */
  detect(text: string): string[] {
    this.#scores.fill(0)
    this.#seen.clear()
    this.#addWords(text.substring(0, MAX_TEXT).replace(this.#data.separators, ' ').trim().toLowerCase())
    const [best, second] = this.#findBest()
    const language = this.#data.languages[best]
    if (language === undefined || this.#seen.size < MIN_NGRAMS) return []
    const score = this.#scaledScore(best)
    // eld compares with the number of the second language instead of its score.
    const isUnlikely = (this.#data.averageScores[language] ?? Number.NaN) * MIN_RATIO > score
    if (isUnlikely || MIN_LEAD > Math.abs(score - Math.max(0, second))) return []
    if (this.#seen.size >= MIN_CERTAIN_NGRAMS) return [language]
    const lowest = score - CERTAIN_LEAD / Math.sqrt(this.#seen.size)
    const scored = this.#data.languages.map((name, i) => ({ name, score: this.#scaledScore(i) }))
    const possible = scored.filter((one) => one.score > Math.max(0, lowest))
    return possible.sort((a, b) => b.score - a.score).map(({ name }) => name)
  }

  #scaledScore(language: number): number {
    const perNgram = (this.#scores[language] ?? 0) / this.#seen.size
    return perNgram / (perNgram + SCALE)
  }

  #addWords(text: string): void {
    const [word, letterOf] = [this.#word, this.#letterOf]
    let length = 0
    let bytes = 0
    for (let i = 0; i < text.length && bytes <= HARD_LIMIT; i++) {
      let code = text.charCodeAt(i)
      if (code === SPACE) {
        this.#addWord(length)
        length = 0
        if (bytes++ > SOFT_LIMIT) return
        continue
      }
      if (code < 0x80) {
        word[length++] = code
        bytes += 1
        continue
      }
      const start = length
      if (code < 0x800) {
        word[length++] = letterOf[0xc0 | (code >> 6)] ?? 0
      } else if (code < 0xd800 || code >= 0xe000) {
        word[length++] = letterOf[0xe0 | (code >> 12)] ?? 0
        word[length++] = letterOf[0x80 | ((code >> 6) & 0x3f)] ?? 0
      } else {
        code = 0x10000 + (((code & 0x3ff) << 10) | (text.charCodeAt(++i) & 0x3ff))
        word[length++] = letterOf[0xf0 | (code >> 18)] ?? 0
        word[length++] = letterOf[0x80 | ((code >> 12) & 0x3f)] ?? 0
        word[length++] = letterOf[0x80 | ((code >> 6) & 0x3f)] ?? 0
      }
      word[length++] = letterOf[0x80 | (code & 0x3f)] ?? 0
      bytes += length - start
    }
    this.#addWord(length)
  }

  /** Four bytes at a time, each sharing one with the next; a space marks the start and the end of the word. */
  #addWord(length: number): void {
    if (length === 0) return
    const end = Math.min(length, MAX_WORD)
    let at = 0
    for (; at + 4 < end; at += 3) this.#addNgram(at, at + 4, false)
    const last = end === 3 ? 0 : Math.max(0, end - 4)
    // Only a word of more than MAX_WORD bytes has more letters left; no language has that n-gram.
    if (length - last <= 4) this.#addNgram(last, length, true, at === 0)
    else this.#seen.add(this.#word.subarray(last, length).join(' '))
  }

  #addNgram(from: number, to: number, isEnd: boolean, isStart = from === 0): void {
    const ngram = this.#ngram.fill(0)
    let length = 0
    if (isStart) ngram[length++] = SPACE
    for (let i = from; i < to; i++) ngram[length++] = this.#word[i] ?? 0
    if (isEnd) ngram[length++] = SPACE
    const [front, back] = [frontOf(ngram), backOf(ngram)]
    const key = front * 0x10000 + back
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#data.ngrams.addScores(front, back, this.#scores, BASE_SCORE)
  }

  /** The numbers of the two languages with the highest scores; -1 if there is none. */
  #findBest(): [best: number, second: number] {
    let [best, second] = [-1, -1]
    for (const [language, score] of this.#scores.entries()) {
      if (score <= 0) continue
      if (best === -1 || score > (this.#scores[best] ?? 0)) [best, second] = [language, best]
      else if (second === -1 || score > (this.#scores[second] ?? 0)) second = language
    }
    return [best, second]
  }
}
