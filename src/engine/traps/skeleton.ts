// The skeleton of a page: hashes of its text that are equal for all pages made from the same template. Numbers, dates and
// months are left out. The loose hash also leaves out words that are part of the page's URL or of its links, so that
// "nothing found at /old/x" and a room of a maze with made-up names look like their neighbours. Addresses of images,
// sound and videos are included: the pages of an album may differ in nothing else.

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
/** A placeholder that is written into the page may come before the address of the image. */
const MAX_MEDIA_TAG = 1024
/** Lazy loading moves addresses to data-src and data-srcset. */
const SOURCE_NAMES = ['src', 'srcset']
const EMPTY_WORD = 0x811c9dc5 | 0
const PRIME = 0x01000193
/** Replaces any run of numbers, dates and left-out words. */
const PLACEHOLDER = 0x5bd1e995

const ZERO = 48
const MEDIA_TAGS = ['img', 'audio', 'embed', 'video', 'iframe', 'source']
const [SPACE, QUOTE, APOSTROPHE, SLASH, COLON, EQUALS, GREATER, QUESTION] = [32, 34, 39, 47, 58, 61, 62, 63]
/** What may follow a host in an address. */
const HOST_ENDS = new Set([0, SPACE, QUOTE, APOSTROPHE, SLASH, QUESTION, GREATER])

/** Builds the skeleton of one page. */
export class SkeletonSink implements TextSink {
  readonly #urlWords: ReadonlySet<number>
  readonly #host: string
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
  /** Sources of a picture, sound or video that no other tag followed yet: together they are one line. */
  #sources = 0
  #lastExact = 0
  #lastLoose = 0
  readonly #lines = new Set<number>()
  readonly #numberLines = new Set<number>()

  /** `urlWords`: hashes of words in URLs, which the loose hash leaves out. */
  constructor(urlWords: ReadonlySet<number>, host: string) {
    this.#urlWords = urlWords
    this.#host = host
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
    if (this.#sources !== 0) this.#addLine(this.#sources)
    this.#sources = 0
    if (this.#line !== 0) this.#endLine()
    else if (this.#numbers !== 0 && !this.#hasUrlNumber && this.#numberLines.size < MAX_LINES)
      this.#numberLines.add(this.#numbers)
    this.#numbers = 0
    this.#hasUrlNumber = false
  }

  #addLine(line: number): void {
    if (this.#lines.size < MAX_LINES) this.#lines.add(line)
  }

  #endLine(): void {
    this.#addLine(this.#line)
    this.#line = 0
    this.#wordsOfLine = 0
  }

  /** Of all tags only media count, by their addresses without the query. */
  tag(codes: Uint16Array, start: number, end: number): void {
    if (!isMediaTag(codes, start, end)) return
    const address = hashSources(codes, end, isName(codes, start, end, 'iframe') ? this.#host : null)
    if (address === EMPTY_WORD) return
    const sources = this.#sources === 0 ? address : mixHash(this.#sources, address)
    this.#sources = 0
    this.endBlock()
    this.#exact = mixHash(this.#exact, address)
    this.#loose = mixHash(this.#loose, address)
    this.#sources = sources
    if (!isName(codes, start, end, 'source')) this.endBlock()
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

function isMediaTag(codes: Uint16Array, start: number, end: number): boolean {
  // Most tags are shorter.
  if (end - start < 3) return false
  for (const name of MEDIA_TAGS) if (isName(codes, start, end, name)) return true
  return false
}

/**
 * Hash of the addresses in the tag whose name ends at `at`; EMPTY_WORD if it has none. Of a frame, only addresses on other
 * hosts count: a frame of the same host is a page of its own.
 */
function hashSources(codes: Uint16Array, at: number, frameHost: string | null): number {
  const end = Math.min(codes.length, at + MAX_MEDIA_TAG)
  let hash = EMPTY_WORD
  for (let pos = at; pos < end && codes[pos] !== GREATER; pos++) {
    if (codes[pos] !== EQUALS) continue
    const quote = codes[pos + 1] === QUOTE || codes[pos + 1] === APOSTROPHE ? (codes[pos + 1] as number) : 0
    const from = pos + (quote === 0 ? 1 : 2)
    if (isSourceName(codes, pos) && (frameHost === null || isForeign(codes, from, frameHost)))
      hash = hashAddress(codes, from, end, hash)
    pos = from
    // An address in another value does not count.
    while (pos < end && !isEndOfValue(codes[pos] as number, quote)) pos++
    if (quote === 0) pos -= 1
  }
  return hash
}

function hashAddress(codes: Uint16Array, start: number, end: number, before: number): number {
  let hash = before
  for (let pos = start; pos < end; pos++) {
    const code = codes[pos] as number
    if (code === QUOTE || code === APOSTROPHE || code === QUESTION || code === GREATER || code <= SPACE) break
    hash = Math.imul(hash ^ code, PRIME)
  }
  return hash
}

function isEndOfValue(code: number, quote: number): boolean {
  return quote === 0 ? code === GREATER || code <= SPACE : code === quote
}

function isSourceName(codes: Uint16Array, equals: number): boolean {
  return SOURCE_NAMES.some((name) => isName(codes, equals - name.length, equals, name))
}

/** Whether an address names another host. */
function isForeign(codes: Uint16Array, start: number, host: string): boolean {
  const colon = start + (isName(codes, start, start + 5, 'https') ? 5 : 4)
  const hasScheme = isName(codes, start, start + 4, 'http') && codes[colon] === COLON
  const at = hasScheme ? colon + 1 : start
  if (codes[at] !== SLASH || codes[at + 1] !== SLASH) return false
  const end = at + 2 + host.length
  return !isName(codes, at + 2, end, host) || !HOST_ENDS.has(codes[end] ?? 0)
}

function isName(codes: Uint16Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (((codes[start + i] ?? 0) | 32) !== name.charCodeAt(i)) return false
  return true
}

function mixHash(hash: number, word: number): number {
  return Math.imul(((hash << 15) | (hash >>> 17)) ^ word, 0x85ebca77)
}
