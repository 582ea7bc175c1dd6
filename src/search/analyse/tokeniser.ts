// Splits text into words, returned as numbers of a word table. Alphabetic text is split at word boundaries.
// Ideographs, kana and Hangul become overlapping pairs; the last character of a run is also a word by itself, so that
// each of them starts a term. Scripts without spaces are split by a dictionary. Text is read in its NFKC form. C++ and
// C# yield c, then a word for the whole name; .NET yields a word for the whole name, then net, so that the phrase "net
// core" is found in ".NET Core".

import {
  BREAK,
  COMPOSED,
  IDEOGRAPH,
  IGNORED,
  INDEX_CHARACTER_CLASSES,
  LAST_MARK,
  UNSPACED,
} from './character-classes.ts'
import { isHangul, isMarkedWord, segmentWords, toMarkedTerm } from './word-segmenter.ts'
import type { WordTable } from './word-table.ts'

/** Longer words are truncated: they are not searched for, and would fill the table. */
export const MAX_WORD_LENGTH = 40
const MAX_RUN = 2000
const APOSTROPHES = new Set([0x27, 0x2019])
/** "don't" and "John's" are one word, "l'été" and "dell'arte" are two. */
const MIN_BEFORE = 3
const MAX_AFTER = 2
/** Runs that may change by normalisation: half-width kana, compatibility ideographs, radicals, single letters of Hangul. */
const IS_COMPOSED = /[\u1100-\u11ff\u2e80-\u2fdf\u3099-\u309c\u309f\u30ff\u3130-\u318f\uf900-\ufaff\uff66-\uff9f]/
const NOT_IDEOGRAPHS = /[^\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3005-\u3007\u30fc]+/u
const HAS_PAIR = /[\ud800-\udbff]/
const [SURROGATE_MASK, HIGH_SURROGATE, LOW_SURROGATE] = [0xfc00, 0xd800, 0xdc00]
const [FIRST_ACCENT, LAST_ACCENT] = [0x300, 0x36f]
const IDEOGRAPHIC = /\p{Ideographic}/u
const LETTER = /[\p{L}\p{N}]/u
/** Words of a page after this many are not indexed; ideographs are not split into words any more, which is slow. */
const MAX_SEGMENTED = 50_000
/** Words per ideograph, counting pairs. */
const WORDS_PER_IDEOGRAPH = 1.5

const [PLUS, HASH] = [0x2b, 0x23]
/** Full-width signs, which occur in no other word, replace the signs of a name. */
const [NAME_PLUS, NAME_HASH] = ['\uff0b', '\uff03']
const NAME_SIGNS = new Set([NAME_PLUS + NAME_PLUS, NAME_HASH])
const MAX_BEFORE_PLUS = 10
const MAX_BEFORE_HASH = 1
const DOT = 0x2e
const NAME_DOT = '\uff0e'
/**
 * Indexed by code: a dot after white space or one of these signs may belong to the next word: .NET, (.htaccess), *.js.
 */
const IS_GAP = Uint8Array.from({ length: 0x100 }, (_, code) =>
  /[\s([{<"`*/,;:=|\u00ab]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const MAX_AFTER_DOT = 20
/** What precedes the current word: anything, something that a name with a dot may follow, or the dot of such a name. */
const [ANYTHING, GAP, NAME_START] = [0, 1, 2]

// The compiler inlines module constants in a loop, but looks up imported ones in every iteration.
const classes = INDEX_CHARACTER_CLASSES
const lastMark = LAST_MARK

export interface TokeniserOptions {
  /** Adds the words of ideographs after the pairs of their run, each with a mark. */
  marksWords: boolean
}

export class Tokeniser {
  readonly #table: WordTable
  readonly #marksWords: boolean
  readonly #letters = new Uint16Array(MAX_WORD_LENGTH)
  /** Ideographs, or letters of a script without spaces. */
  readonly #run: number[] = []
  #runClass = 0
  #length = 0
  /** Number of letters before the first apostrophe. */
  #apostrophe = 0
  /** Plus and number signs after the current word. */
  #signs = ''
  #before = GAP
  /** The first half of a surrogate pair. */
  #surrogate = 0
  /** Word numbers, in order. */
  ids = new Int32Array(16)
  count = 0

  constructor(table: WordTable, { marksWords }: TokeniserOptions) {
    this.#table = table
    this.#marksWords = marksWords
  }

  /** Includes the word or run that has not ended yet. */
  get countWithCurrent(): number {
    if (this.#run.length > 0) return this.count + Math.ceil(this.#run.length * WORDS_PER_IDEOGRAPH)
    return this.count + (this.#length > 0 ? 1 : 0)
  }

  /** UTF-16 text; a word may continue in the next call. */
  add(codes: Uint16Array, start: number, end: number): void {
    const letters = this.#letters
    if (this.#surrogate !== 0 && start < end) start += this.#endPair(codes[start] ?? 0)
    for (let pos = start; pos < end; pos++) {
      let length = this.#length
      if (this.#run.length === 0 && this.#signs === '') {
        for (; pos < end; pos++) {
          const sign = classes[codes[pos] ?? 0] ?? 0
          if (sign <= lastMark) break
          if (length < MAX_WORD_LENGTH) letters[length++] = sign
        }
        this.#length = length
        if (pos === end) return
      }
      const code = codes[pos] ?? 0
      if ((code & SURROGATE_MASK) !== HIGH_SURROGATE) this.#addOther(code)
      else {
        if (this.#signs !== '') this.flush()
        this.#surrogate = code
        if (pos + 1 < end) pos += this.#endPair(codes[pos + 1] ?? 0)
      }
    }
  }

  /** Returns 1 if the code is the second half of the current pair, otherwise 0. */
  #endPair(code: number): 0 | 1 {
    const text = String.fromCharCode(this.#surrogate, code)
    this.#surrogate = 0
    if ((code & SURROGATE_MASK) !== LOW_SURROGATE) {
      this.flush()
      return 0
    }
    if (IDEOGRAPHIC.test(text)) this.#addToRun(IDEOGRAPH, text.charCodeAt(0), code)
    else this.#addComposed(text.normalize('NFKC'))
    return 1
  }

  /** Ends the current word and the current run. */
  flush(): void {
    const signs = this.#signs
    this.#signs = ''
    if (this.#before === NAME_START) this.#addDottedName()
    if (NAME_SIGNS.has(signs)) this.#endName(signs)
    else if (this.#length > 0) this.#endWord()
    if (this.#run.length > 0) this.#endRun()
    this.#surrogate = 0
    this.#before = GAP
  }

  #addOther(code: number): void {
    const sign = classes[code] ?? 0
    if (this.#addSign(code, sign)) return
    if (sign === IDEOGRAPH || sign === UNSPACED) {
      this.#addToRun(sign, code)
    } else if (sign === COMPOSED) {
      const text = String.fromCharCode(code)
      if (code >= FIRST_ACCENT && code <= LAST_ACCENT) this.#combine(text)
      else this.#addComposed(text.normalize('NFKC'))
    } else if (sign === IGNORED) {
      if (this.#apostrophe === 0 && APOSTROPHES.has(code)) this.#apostrophe = this.#length
    } else if (sign > LAST_MARK) {
      if (this.#run.length > 0) this.flush()
      if (this.#length < MAX_WORD_LENGTH) this.#letters[this.#length++] = sign
    } else {
      this.#addBreak(code)
    }
  }

  #addBreak(code: number): void {
    const isAfterGap = this.#before === GAP && this.#length === 0 && this.#run.length === 0
    this.flush()
    if (code === DOT) this.#before = isAfterGap ? NAME_START : ANYTHING
    else if (code < IS_GAP.length && IS_GAP[code] === 0) this.#before = ANYTHING
  }

  /** Signs after a word may belong to it: C++, C#. */
  #addSign(code: number, sign: number): boolean {
    if (code === PLUS || code === HASH) {
      const signs = this.#signs + (code === PLUS ? NAME_PLUS : NAME_HASH)
      const max = signs === NAME_HASH ? MAX_BEFORE_HASH : MAX_BEFORE_PLUS
      if (this.#length > 0 && this.#length <= max && (signs === NAME_PLUS || NAME_SIGNS.has(signs))) {
        this.#signs = signs
        return true
      }
    }
    // A sign between letters separates them.
    if (this.#signs !== '' && (sign !== BREAK || code === PLUS || code === HASH)) {
      this.#signs = ''
      this.flush()
    }
    return false
  }

  #endName(signs: string): void {
    const word = String.fromCharCode(...this.#letters.subarray(0, this.#length))
    this.#endWord()
    this.#pushText(word + signs)
  }

  /** The current word is added after it. */
  #addDottedName(): void {
    const length = this.#length
    const isName = length > 0 && length <= MAX_AFTER_DOT && this.#apostrophe === 0
    if (!isName || isDigit(this.#letters[0] ?? 0)) return
    const word = String.fromCharCode(...this.#letters.subarray(0, length))
    this.#pushText(NAME_DOT + word)
    for (let i = 0; i < length; i++) this.#letters[i] = word.charCodeAt(i)
  }

  #addToRun(sign: number, ...codes: number[]): void {
    if (this.#length > 0 || this.#runClass !== sign || this.#run.length >= MAX_RUN) this.flush()
    this.#runClass = sign
    this.#run.push(...codes)
  }

  #combine(accent: string): void {
    if (this.#length === 0) return
    const composed = (String.fromCharCode(this.#letters[this.#length - 1] ?? 0) + accent).normalize('NFC')
    if (composed.length === 1) this.#letters[this.#length - 1] = composed.charCodeAt(0)
    else if (this.#length < MAX_WORD_LENGTH) this.#letters[this.#length++] = accent.charCodeAt(0)
  }

  #addComposed(text: string): void {
    if ((text.codePointAt(0) ?? 0) > 0xffff) {
      this.#addPair(text)
      return
    }
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (classes[code] === COMPOSED) this.flush()
      else this.#addOther(code)
    }
  }

  /** A letter of a script beyond the first 65,536 characters. Anything else ends the word. */
  #addPair(pair: string): void {
    if (!LETTER.test(pair) || this.#run.length > 0) this.flush()
    if (!LETTER.test(pair) || this.#length + 2 > MAX_WORD_LENGTH) return
    this.#letters[this.#length++] = pair.charCodeAt(0)
    this.#letters[this.#length++] = pair.charCodeAt(1)
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
    const isIdeographs = this.#runClass === IDEOGRAPH
    this.#run.length = 0
    if (!isIdeographs) {
      for (const word of segmentWords(text)) this.#pushText(word.slice(0, MAX_WORD_LENGTH).toWellFormed())
    } else if (IS_COMPOSED.test(text)) {
      for (const part of text.normalize('NFKC').split(NOT_IDEOGRAPHS)) if (part !== '') this.#endIdeographs(part)
    } else {
      this.#endIdeographs(text)
    }
  }

  #endIdeographs(text: string): void {
    const signs = HAS_PAIR.test(text) ? Array.from(text) : text
    for (let i = 0; i < signs.length; i++) this.#pushText(`${signs[i]}${signs[i + 1] ?? ''}`)
    if (!this.#marksWords || this.count > MAX_SEGMENTED || isHangul(text)) return
    for (const word of segmentWords(text)) if (isMarkedWord(word)) this.#pushText(toMarkedTerm(word))
  }

  #pushText(word: string): void {
    const letters = this.#letters
    for (let i = 0; i < word.length; i++) letters[i] = word.charCodeAt(i)
    this.#add(letters, word.length)
  }

  #push(codes: Uint16Array): void {
    this.#add(codes, codes.length)
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

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
