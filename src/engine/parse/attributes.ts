import { decodeHTMLAttribute } from 'entities'
import {
  AMPERSAND,
  CR,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isSpace,
  NUL,
  SINGLE_QUOTE,
  SLASH,
  spanEquals,
} from './characters.ts'
import { Finder } from './finder.ts'

/**
 * The attributes of one tag at a time, as positions in the page; values are cut out only when asked for.
 * The page reader holds one of these and calls read() for each tag that it needs to look into.
 */
export class Attributes {
  readonly #html: string
  // Name start, name end, value start, value end of each attribute in turn.
  readonly #spans: number[] = []
  #length = 0
  #selfClosing = false
  // What a value must be free of to be used as it stands; almost all are.
  readonly #ampersands: Finder
  readonly #returns: Finder
  readonly #nuls: Finder

  constructor(html: string) {
    this.#html = html
    this.#ampersands = new Finder(html, '&')
    this.#returns = new Finder(html, '\r')
    this.#nuls = new Finder(html, '\0')
  }

  get selfClosing(): boolean {
    return this.#selfClosing
  }

  /** Reads from the end of the tag name. Returns the position after `>`, or -1 if the page ends inside the tag. */
  read(pos: number): number {
    const html = this.#html
    this.#length = 0
    this.#selfClosing = false
    while (pos < html.length) {
      const code = html.charCodeAt(pos)
      if (code === GREATER) {
        this.#selfClosing = html.charCodeAt(pos - 1) === SLASH && this.#slashStandsAlone(pos - 1)
        return pos + 1
      }
      if (code === SLASH || isSpace(code)) {
        pos++
        continue
      }
      const nameEnd = attributeNameEnd(html, pos)
      const valueStart = attributeValueStart(html, nameEnd)
      if (valueStart === -1) {
        this.#add(pos, nameEnd, nameEnd, nameEnd)
        pos = nameEnd
        continue
      }
      const isQuoted = isQuote(html.charCodeAt(valueStart))
      const end = isQuoted ? closingQuote(html, valueStart) : unquotedValueEnd(html, valueStart)
      if (end === -1) return -1
      this.#add(pos, nameEnd, isQuoted ? valueStart + 1 : valueStart, end)
      pos = isQuoted ? end + 1 : end
    }
    return -1
  }

  has(name: string): boolean {
    return this.#find(name) !== -1
  }

  /** The decoded value, or null if the tag has no such attribute. Of several, the first counts. */
  get(name: string): string | null {
    const at = this.#find(name)
    if (at === -1) return null
    const start = this.#spans[at + 2] ?? 0
    const end = this.#spans[at + 3] ?? 0
    const raw = this.#html.slice(start, end)
    return this.#isPlain(start, end) ? raw : decodeHTMLAttribute(normaliseInput(raw))
  }

  #isPlain(start: number, end: number): boolean {
    // Attributes of a tag are asked for in any order, so the finders are asked from where the tag's attributes begin.
    const from = this.#spans[0] ?? 0
    if (this.#ampersands.from(from) >= end && this.#returns.from(from) >= end && this.#nuls.from(from) >= end)
      return true
    return hasNone(this.#html, start, end)
  }

  #find(name: string): number {
    const spans = this.#spans
    for (let at = 0; at < this.#length; at += 4) {
      const start = spans[at] ?? 0
      if ((spans[at + 1] ?? 0) - start === name.length && spanEquals(this.#html, start, name)) return at
    }
    return -1
  }

  #add(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const at = this.#length
    this.#spans[at] = nameStart
    this.#spans[at + 1] = nameEnd
    this.#spans[at + 2] = valueStart
    this.#spans[at + 3] = valueEnd
    this.#length = at + 4
  }

  // In `<a href=x/>` the slash is the end of the value.
  #slashStandsAlone(slash: number): boolean {
    return this.#length === 0 || slash >= (this.#spans[this.#length - 1] ?? 0)
  }
}

// A name may begin with `=`; later ones end it.
export function attributeNameEnd(html: string, pos: number): number {
  while (++pos < html.length) {
    const code = html.charCodeAt(pos)
    if (code <= GREATER && (code === EQUALS || code === GREATER || code === SLASH || isSpace(code))) return pos
  }
  return html.length
}

/** Where the value begins (at its quote, if any), or -1 for an attribute without a value. */
export function attributeValueStart(html: string, pos: number): number {
  pos = skipSpaces(html, pos)
  return pos < html.length && html.charCodeAt(pos) === EQUALS ? skipSpaces(html, pos + 1) : -1
}

export function unquotedValueEnd(html: string, pos: number): number {
  while (pos < html.length) {
    const code = html.charCodeAt(pos)
    if (code === GREATER || isSpace(code)) return pos
    pos++
  }
  return html.length
}

export function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE
}

/** The quote that closes the one at `pos`, or -1. */
export function closingQuote(html: string, pos: number): number {
  return html.indexOf(html.charCodeAt(pos) === DOUBLE_QUOTE ? '"' : "'", pos + 1)
}

function skipSpaces(html: string, pos: number): number {
  while (pos < html.length && isSpace(html.charCodeAt(pos))) pos++
  return pos
}

function hasNone(html: string, start: number, end: number): boolean {
  for (let pos = start; pos < end; pos++) {
    const code = html.charCodeAt(pos)
    if (code === AMPERSAND || code === CR || code === NUL) return false
  }
  return true
}

/** What the HTML standard does to the input before and inside values: line ends become LF, NUL becomes U+FFFD. */
export function normaliseInput(raw: string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}
