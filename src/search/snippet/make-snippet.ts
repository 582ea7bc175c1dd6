// Picks the part of a text that best shows why it matched, and the ranges to highlight. Plain text in, plain text out:
// the caller adds the highlights and escapes the rest.

import { toSharedCodes } from '../../engine/parse/utf16-codes.ts'
import { BOILERPLATE_MARK, type Snippet } from '../../ports/search.ts'
import { collectHighlightTerms, type HighlightedQuery, type HighlightTerms } from './highlight-terms.ts'
import { findLead, findPassage, type Passage } from './passage.ts'
import { type ScannedText, type TermMatch, TermMatcher } from './term-matcher.ts'
import { SPAN, WindowSearch } from './window-search.ts'

interface Bounds {
  from: number
  to: number
}

/** Scanned at a time; then the best passage so far may be good enough. */
const SLICE = 2048
/** The first part of a text is searched for the best sentence; the rest only for more words than that has. */
const ENOUGH = 4096
const LONGEST_WORD = 200
const MAX_SCANNED = 60_000
/**
 * For a long query, a passage with some of its words near the start is as good as one with a few more words far into
 * the text.
 */
const MAX_SCANNED_FOR_LONG_QUERY = 8192
const MAX_MATCHES = 5000
const ELLIPSIS = '…'
/** A heading or list item is not glued to the line after it. */
const LINE_SEPARATOR = ' · '

/** Makes the snippets of one query. */
export class SnippetMaker {
  readonly #wanted: HighlightTerms
  readonly #matchers = new Map<string | null, TermMatcher>()

  constructor(query: HighlightedQuery) {
    this.#wanted = collectHighlightTerms(query)
  }

  /** The main text is preferred to boilerplate, whatever that contains. */
  makeSnippet(text: string, lang: string | null): Snippet {
    const mark = text.indexOf(BOILERPLATE_MARK)
    const main = { from: 0, to: mark === -1 ? text.length : mark }
    const scanned = { text, codes: toSharedCodes(text) }
    const matcher = this.#matcherFor(lang)
    const passage =
      this.#bestPassage(scanned, main, matcher) ??
      (mark === -1 ? null : this.#bestPassage(scanned, { from: mark + 1, to: text.length }, matcher)) ??
      findLead(text, main)
    const shown = render(text, passage)
    return { text: shown, highlights: this.findHighlights(shown, lang) }
  }

  /** Highlights over the whole length of a short text. */
  findHighlights(text: string, lang: string | null): [number, number][] {
    const matches: TermMatch[] = []
    this.#matcherFor(lang).find({ text, codes: toSharedCodes(text) }, 0, text.length, matches)
    return matches.map(({ start, end }) => [start, end])
  }

  #matcherFor(lang: string | null): TermMatcher {
    const matcher = this.#matchers.get(lang) ?? new TermMatcher(this.#wanted, lang)
    this.#matchers.set(lang, matcher)
    return matcher
  }

  /** Null if nothing matches. Stops at a sentence that has the words side by side, later if it only has them apart. */
  #bestPassage(scanned: ScannedText, bounds: Bounds, matcher: TermMatcher): Passage | null {
    if (this.#wanted.allWords === 0) return null
    const { text } = scanned
    const search = new WindowSearch(text, this.#wanted)
    const end = Math.min(bounds.to, bounds.from + MAX_SCANNED)
    const endOfLong = bounds.from + MAX_SCANNED_FOR_LONG_QUERY
    let pos = bounds.from
    while (pos < end && !search.isSatisfied && search.matches.length < MAX_MATCHES) {
      if (pos >= bounds.from + ENOUGH) {
        if (search.hasEnoughWords || (pos >= endOfLong && search.hasSomeWords)) break
        // Only a passage with one of these words can be better.
        const found = matcher.skipTo(text, search.rarestWords(), pos)
        if (found === -1 || found >= end) break
        if (found - SPAN > pos) pos = nextSpace(text, found - SPAN, found)
      }
      const next = nextSpace(text, pos + SLICE, end)
      matcher.find(scanned, pos, next, search.matches)
      search.update(next - SPAN)
      pos = next
    }
    search.update(Number.POSITIVE_INFINITY)
    return search.best === null ? null : findPassage(text, search.best, bounds)
  }
}

/** The next end of a word, unless that is far away. */
function nextSpace(text: string, pos: number, end: number): number {
  if (pos >= end) return end
  const space = text.indexOf(' ', pos)
  return space === -1 || space > pos + LONGEST_WORD ? Math.min(pos, end) : Math.min(space, end)
}

function render(text: string, { start, end, isCutBefore, isCutAfter }: Passage): string {
  const lines = text.slice(start, end).split('\n')
  let out = ''
  for (const line of lines) {
    const trimmed = line.trim()
    if (trimmed === '') continue
    if (out !== '') out += CONTINUES.test(out) ? ' ' : LINE_SEPARATOR
    out += trimmed.replaceAll('\t', ' ')
  }
  return `${isCutBefore ? ELLIPSIS : ''}${out}${isCutAfter ? ELLIPSIS : ''}`
}

const CONTINUES = /[.!?。！？…:;,][)\]"'”’»]*$/
