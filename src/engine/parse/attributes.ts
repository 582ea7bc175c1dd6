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
  trimSpaces,
} from './characters.ts'

/**
 * The attributes of one tag at a time, as positions in the page; values are cut out only when asked for.
 * The page reader holds one of these and calls read() for each tag that it needs to look into.
 */
export class Attributes {
  readonly #html: string
  readonly #codes: Uint16Array
  // Name start, name end, value start, value end of each attribute in turn.
  readonly #spans: number[] = []
  #length = 0
  #selfClosing = false

  constructor(html: string, codes: Uint16Array) {
    this.#html = html
    this.#codes = codes
  }

  get selfClosing(): boolean {
    return this.#selfClosing
  }

  /**
   * Reads from the end of the tag name. Returns the position after `>`, or -1 if the page ends inside the tag.
   * The states are those of skipTag.
   */
  read(pos: number): number {
    const codes = this.#codes
    this.#length = 0
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
    this.#selfClosing = codes[pos - 1] === SLASH && this.#slashStandsAlone(pos - 1)
    return pos < this.#html.length ? pos + 1 : -1
  }

  has(name: string): boolean {
    return this.#find(name) !== -1
  }

  /** The decoded value, or null if the tag has no such attribute. Of several, the first counts. */
  get(name: string): string | null {
    const at = this.#find(name)
    return at === -1 ? null : this.#decode(this.#spans[at + 2] ?? 0, this.#spans[at + 3] ?? 0)
  }

  /** The decoded value without the whitespace around it, or null. */
  getTrimmed(name: string): string | null {
    const at = this.#find(name)
    if (at === -1) return null
    const codes = this.#codes
    let start = this.#spans[at + 2] ?? 0
    let end = this.#spans[at + 3] ?? 0
    while (start < end && isSpace(codes[start] ?? 0)) start++
    while (end > start && isSpace(codes[end - 1] ?? 0)) end--
    const value = this.#decode(start, end)
    // A character reference can stand for whitespace, too.
    return value.length === end - start ? value : trimSpaces(value)
  }

  #find(name: string): number {
    const spans = this.#spans
    for (let at = 0; at < this.#length; at += 4) {
      const start = spans[at] ?? 0
      if ((spans[at + 1] ?? 0) - start === name.length && spanEquals(this.#html, start, name)) return at
    }
    return -1
  }

  #decode(start: number, end: number): string {
    const codes = this.#codes
    let hasReference = false
    let isRaw = false
    for (let pos = start; pos < end; pos++) {
      const code = codes[pos]
      if (code === AMPERSAND) hasReference = true
      else if (code === CR || code === NUL) isRaw = true
    }
    const raw = this.#html.slice(start, end)
    const value = isRaw ? normaliseInput(raw) : raw
    return hasReference ? decodeHTMLAttribute(value) : value
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

/** What the HTML standard does to the input before and inside values: line ends become LF, NUL becomes U+FFFD. */
export function normaliseInput(raw: string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}
