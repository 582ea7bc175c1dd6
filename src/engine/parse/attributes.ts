import { decodeHTMLAttribute } from 'entities/decode'
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
  trimSpaces,
} from './characters.ts'
import type { HtmlSource } from './charset/decode-html.ts'
import { decodeUtf8Chars } from './utf8-chars.ts'

/** Attributes that the reader uses. */
const NAMES = [
  'href',
  'rel',
  'src',
  'content',
  'http-equiv',
  'name',
  'lang',
  'type',
  'xlink:href',
  'color',
  'face',
  'size',
  'encoding',
  'shadowrootmode',
  'srcset',
  'imagesrcset',
  'poster',
  'background',
  'style',
] as const
export type AttributeName = (typeof NAMES)[number]

const LENGTHS = NAMES.reduce((bits, { length }) => bits | (1 << length), 0)

/** More attributes than a legitimate tag has. Beyond this, only attributes that the reader uses are recorded. */
const MANY = 64
const SPAN = 4
/** A longer value that has to be rewritten is cut: it cannot be a URL, and no other values of this length are kept. */
const MAX_VALUE = 1 << 16
const ENCODED_NEVER = 0x10000

/**
 * The attributes of one tag at a time, as positions in the page; values are extracted on demand. The page reader holds
 * one instance and calls read() for each tag it needs to look into.
 */
export class Attributes {
  readonly #html: string
  readonly #codes: Uint16Array
  // The lowest code unit that has to be decoded.
  readonly #firstEncoded: number
  // Name start, name end, value start and value end of each attribute in turn.
  readonly #spans: number[] = []
  #length = 0
  // End of the last attribute value, recorded or not.
  #lastEnd = 0
  // Names already looked up among many attributes, as bits.
  #sought = 0
  #selfClosing = false

  constructor({ html, isUtf8 }: HtmlSource, codes: Uint16Array) {
    this.#html = html
    this.#codes = codes
    this.#firstEncoded = isUtf8 ? 0x80 : ENCODED_NEVER
  }

  get selfClosing(): boolean {
    return this.#selfClosing
  }

  /**
   * Reads from the end of the tag name. Returns the position after `>`, or -1 if the page ends inside the tag. The
   * states correspond to those of skipTag.
   */
  read(pos: number): number {
    const codes = this.#codes
    this.#length = 0
    this.#lastEnd = 0
    this.#sought = 0
    let code = codes[pos] ?? GREATER
    while (code !== GREATER) {
      if (code === SLASH || isSpace(code)) {
        code = codes[++pos] ?? GREATER
        continue
      }
      const start = pos
      do code = codes[++pos] ?? GREATER
      while (code > GREATER || (code !== GREATER && code !== EQUALS && code !== SLASH && !isSpace(code)))
      const end = pos
      while (isSpace(code)) code = codes[++pos] ?? GREATER
      if (code !== EQUALS) {
        this.#add(start, end, end, end)
        continue
      }
      do code = codes[++pos] ?? GREATER
      while (isSpace(code))
      const valueStart = pos
      if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
        pos = code === DOUBLE_QUOTE ? this.#html.indexOf('"', pos + 1) : this.#html.indexOf("'", pos + 1)
        if (pos === -1) return -1
        this.#add(start, end, valueStart + 1, pos)
        code = codes[++pos] ?? GREATER
      } else {
        while (code !== GREATER && !isSpace(code)) code = codes[++pos] ?? GREATER
        this.#add(start, end, valueStart, pos)
      }
    }
    this.#selfClosing = codes[pos - 1] === SLASH && pos - 1 >= this.#lastEnd
    return pos < this.#html.length ? pos + 1 : -1
  }

  has(name: AttributeName): boolean {
    return this.#find(name) !== -1
  }

  /** The decoded value, or null if the tag has no such attribute. If it occurs several times, the first one counts. */
  get(name: AttributeName): string | null {
    const at = this.#find(name)
    return at === -1 ? null : this.#decode(this.#spans[at + 2] ?? 0, this.#spans[at + 3] ?? 0)
  }

  /** Like `get`, for any name. If there are very many attributes, only the first ones are known. */
  getAny(name: string): string | null {
    const at = this.#find(name)
    return at === -1 ? null : this.#decode(this.#spans[at + 2] ?? 0, this.#spans[at + 3] ?? 0)
  }

  /** The decoded value without surrounding whitespace, or null. */
  getTrimmed(name: AttributeName): string | null {
    const at = this.#find(name)
    if (at === -1) return null
    const codes = this.#codes
    let start = this.#spans[at + 2] ?? 0
    let end = this.#spans[at + 3] ?? 0
    while (start < end && isSpace(codes[start] ?? 0)) start++
    while (end > start && isSpace(codes[end - 1] ?? 0)) end--
    const value = this.#decode(start, end)
    // A character reference may stand for whitespace, too.
    return value.length === end - start ? value : trimSpaces(value)
  }

  #find(name: string): number {
    const spans = this.#spans
    for (let at = 0; at < this.#length; at += SPAN) {
      const start = spans[at] ?? 0
      if ((spans[at + 1] ?? 0) - start === name.length && spanEquals(this.#html, start, name)) return at
    }
    return -1
  }

  #decode(start: number, end: number): string {
    const codes = this.#codes
    const firstEncoded = this.#firstEncoded
    let hasReference = false
    let isRaw = false
    let isEncoded = false
    for (let pos = start; pos < end; pos++) {
      const code = codes[pos] ?? 0
      if (code === AMPERSAND) hasReference = true
      else if (code === CR || code === NUL) isRaw = true
      else if (code >= firstEncoded) isEncoded = true
    }
    if (!hasReference && !isRaw && !isEncoded) return this.#html.slice(start, end)
    const chars = this.#html.slice(start, Math.min(end, start + MAX_VALUE))
    const raw = isEncoded ? decodeUtf8Chars(chars) : chars
    const value = isRaw ? normaliseInput(raw) : raw
    return hasReference ? decodeHTMLAttribute(value) : value
  }

  #add(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const at = this.#length
    // In `<a href=x/>` the slash is part of the value.
    this.#lastEnd = valueEnd
    if (at >= MANY * SPAN && !this.#isWanted(nameStart, nameEnd)) return
    this.#spans[at] = nameStart
    this.#spans[at + 1] = nameEnd
    this.#spans[at + 2] = valueStart
    this.#spans[at + 3] = valueEnd
    this.#length = at + SPAN
  }

  /** Whether this is the first occurrence of a name that the reader uses. */
  #isWanted(start: number, end: number): boolean {
    const length = end - start
    if (length > 31 || (LENGTHS & (1 << length)) === 0) return false
    for (const [i, name] of NAMES.entries()) {
      if (name.length !== length || !spanEquals(this.#html, start, name)) continue
      if ((this.#sought & (1 << i)) !== 0) return false
      this.#sought |= 1 << i
      return !this.has(name)
    }
    return false
  }
}

/** Preprocessing of the HTML standard inside values: line breaks become LF, NUL becomes U+FFFD. */
export function normaliseInput(raw: string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}
