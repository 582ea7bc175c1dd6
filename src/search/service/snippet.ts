// Picks the part of a text that best shows why it matched, and the ranges to highlight. Plain text in, plain text out:
// the caller adds the highlights and escapes the rest.

import { COMPOSED, foldAccents, IDEOGRAPH, INDEX_CHARACTER_CLASSES, LAST_MARK } from '../analyse/character-classes.ts'
import { toIndexTerm } from '../analyse/index-terms.ts'
import { toMarkedTerm } from '../analyse/word-segmenter.ts'

export interface HighlightTerms {
  terms: ReadonlySet<string>
  prefixes: readonly string[]
}

export interface Snippet {
  text: string
  /** Start and end offsets, in UTF-16 code units. */
  highlights: [number, number][]
}

interface TermMatch {
  start: number
  end: number
  term: string
}

const LENGTH = 240
const LEAD = 60
const MAX_SCANNED = 30_000
const MAX_MATCHES = 200
const ELLIPSIS = '…'

export function makeSnippet(text: string, wanted: HighlightTerms, lang: string | null): Snippet {
  const matches = findMatches(text.slice(0, MAX_SCANNED), wanted, lang)
  const start = avoidSurrogateSplit(text, windowStart(text, bestWindow(matches)))
  const end = avoidSurrogateSplit(text, windowEnd(text, start))
  const front = start > 0 ? ELLIPSIS : ''
  const shift = front.length - start
  const inside = matches.filter((termMatch) => termMatch.start >= start && termMatch.end <= end)
  return {
    text: `${front}${text.slice(start, end).replaceAll(/[\n\t]/g, ' ')}${end < text.length ? ELLIPSIS : ''}`,
    highlights: inside.map((termMatch) => [termMatch.start + shift, termMatch.end + shift]),
  }
}

/** The text without a first line that repeats the title shown above it, unless nothing else would be left. */
export function dropTitleLine(text: string, title: string): string {
  const end = text.indexOf('\n')
  return end !== -1 && text.slice(0, end).trim() === title.trim() ? text.slice(end + 1) : text
}

/** Highlights over the whole length of a short text. */
export function findHighlights(text: string, wanted: HighlightTerms, lang: string | null): [number, number][] {
  return findMatches(text, wanted, lang).map(({ start, end }) => [start, end])
}

function findMatches(text: string, wanted: HighlightTerms, lang: string | null): TermMatch[] {
  const matches: TermMatch[] = []
  const known = new Map<string, string | null>()
  const pairs = lang !== null && WITH_PREFIXES.has(lang) ? null : prefixFilterFor(wanted)
  for (let pos = 0; pos < text.length && matches.length < MAX_MATCHES; ) {
    const sign = INDEX_CHARACTER_CLASSES[text.charCodeAt(pos)] ?? 0
    const isWord = isLetterAt(text, pos)
    const end = isWord ? wordEnd(text, pos) : pos + 1
    if (isWord && (pairs === null || pairs.mayMatch(text, pos, end))) {
      const word = toPlainWord(text.slice(pos, end))
      let term = known.get(word)
      if (term === undefined) {
        term = matchTerm(word, wanted, lang)
        known.set(word, term)
      }
      if (term !== null) matches.push({ start: pos, end, term })
    } else if (sign === IDEOGRAPH) addIdeographMatch(text, pos, wanted, matches)
    pos = end
  }
  return matches
}

/** Languages in which a stem may start with other letters than its word. */
const WITH_PREFIXES = new Set(['ar', 'ga', 'id'])
const HEAD = 2
const ASCII = 128

/**
 * Filters by the first two letters of each term. Most words of a text are ruled out without stemming, ASCII words even
 * without creating a string.
 */
class TermPrefixFilter {
  readonly #prefixes: ReadonlySet<string>
  readonly #pairs = new Uint8Array(ASCII * ASCII)

  constructor({ terms, prefixes }: HighlightTerms) {
    this.#prefixes = new Set([...terms, ...prefixes].map(firstTwoLetters))
    for (const head of this.#prefixes) {
      const [first, second] = [head.charCodeAt(0), head.length > 1 ? head.charCodeAt(1) : 0]
      if (first < ASCII && second < ASCII) this.#pairs[first * ASCII + second] = 1
    }
  }

  /** `start` and `end` delimit the word. */
  mayMatch(text: string, start: number, end: number): boolean {
    const first = INDEX_CHARACTER_CLASSES[text.charCodeAt(start)] ?? 0
    const second = start + 1 < end ? (INDEX_CHARACTER_CLASSES[text.charCodeAt(start + 1)] ?? 0) : 0
    const isPlain = first > LAST_MARK && first < ASCII && second < ASCII && (second === 0 || second > LAST_MARK)
    if (isPlain) return this.#pairs[first * ASCII + second] === 1
    return this.#prefixes.has(firstTwoLetters(toPlainWord(text.slice(start, end))))
  }
}

const prefixFilters = new WeakMap<HighlightTerms, TermPrefixFilter>()

/** Created once per query and shared by all its texts. */
function prefixFilterFor(wanted: HighlightTerms): TermPrefixFilter {
  const filter = prefixFilters.get(wanted) ?? new TermPrefixFilter(wanted)
  prefixFilters.set(wanted, filter)
  return filter
}

function toPlainWord(word: string): string {
  return word.normalize('NFKC').toLowerCase().replaceAll(/['’]/g, '')
}

function firstTwoLetters(word: string): string {
  return foldAccents(word.slice(0, HEAD)).slice(0, HEAD)
}

function wordEnd(text: string, pos: number): number {
  while (pos < text.length) {
    const code = text.charCodeAt(pos)
    const isInside = isLetterAt(text, pos) || ((code === 0x27 || code === 0x2019) && isLetterAt(text, pos + 1))
    if (!isInside) break
    pos++
  }
  return pos
}

function isLetterAt(text: string, pos: number): boolean {
  const code = text.charCodeAt(pos)
  const sign = INDEX_CHARACTER_CLASSES[code] ?? 0
  return sign > LAST_MARK || (sign === COMPOSED && (code & 0xf800) !== 0xd800)
}

function matchTerm(word: string, { terms, prefixes }: HighlightTerms, lang: string | null): string | null {
  const term = toIndexTerm(word, lang)
  if (terms.has(term)) return term
  const prefix = prefixes.find((start) => word.startsWith(start) || term.startsWith(start))
  return prefix ?? null
}

/** Matches a pair of ideographs, or a single one if the query has it alone; adjacent matches become one range. */
function addIdeographMatch(text: string, pos: number, wanted: HighlightTerms, matches: TermMatch[]): void {
  const pair = text.slice(pos, pos + 2)
  const single = pair.charAt(0)
  const isPair = hasWord(pair, wanted)
  if (!isPair && !hasWord(single, wanted) && !wanted.prefixes.includes(single)) return
  const last = matches.at(-1)
  const end = pos + (isPair ? 2 : 1)
  if (last !== undefined && last.end >= pos) last.end = Math.max(last.end, end)
  else matches.push({ start: pos, end, term: isPair ? pair : single })
}

function hasWord(ideographs: string, { terms }: HighlightTerms): boolean {
  return terms.has(ideographs) || terms.has(toMarkedTerm(ideographs))
}

/** Start of the window with the most distinct terms, then the most matches. */
function bestWindow(matches: TermMatch[]): number {
  let best = { start: 0, score: 0 }
  for (const [i, first] of matches.entries()) {
    const inside = matches.slice(i, i + 40).filter(({ end }) => end <= first.start + LENGTH - LEAD)
    const score = new Set(inside.map(({ term }) => term)).size * 100 + inside.length
    if (score > best.score) best = { start: first.start, score }
  }
  return best.start
}

/** Moves back by one if `pos` would split a surrogate pair. */
function avoidSurrogateSplit(text: string, pos: number): number {
  return (text.codePointAt(pos - 1) ?? 0) > 0xffff ? pos - 1 : pos
}

/** Starts at a line or word boundary, a little before the first match. */
function windowStart(text: string, at: number): number {
  if (at <= LEAD) return 0
  const from = at - LEAD
  const line = text.lastIndexOf('\n', at - 1)
  if (line >= from) return line + 1
  const space = text.indexOf(' ', from)
  return space === -1 || space >= at ? from : space + 1
}

function windowEnd(text: string, start: number): number {
  const end = start + LENGTH
  if (end >= text.length) return text.length
  const space = text.lastIndexOf(' ', end)
  return space > start + LENGTH / 2 ? space : end
}
