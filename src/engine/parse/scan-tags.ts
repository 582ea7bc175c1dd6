// Visits start tags of a page in one pass and linear time, for facts that need no tree. Tags that are not wanted are only
// skipped.

import { Attributes } from './attributes.ts'
import { BANG, isSpace, lowerAscii, QUESTION, SLASH } from './characters.ts'
import { CommentEndSearch, EndTagSearch, ScriptEndSearch } from './raw-text-search.ts'
import { nextMarkup, skipPast, skipTag, tagNameEnd } from './skip-markup.ts'
import { freeCodes, toSharedCodes } from './utf16-codes.ts'

export interface ScannedTag {
  /** Tag name in lower case. */
  name: string
  /** The decoded value of an attribute, or null. Only during the visit. */
  get(name: string): string | null
  isInHead: boolean
  isInNoscript: boolean
  /** The position after the tag. */
  end: number
}

/** No wanted element has a longer name. */
const MAX_NAME = 32
/** Elements whose content is text. Tags inside them do not count. */
const RAW_TEXT = new Set(['style', 'textarea', 'title', 'iframe', 'noembed', 'noframes', 'xmp'])
/** Anything else, and any text, ends the head. */
const HEAD = new Set(
  'html head base basefont bgsound link meta title style script noscript template noframes'.split(' '),
)

/** Templates are not part of the page, except shadow roots. */
export function scanTags(html: string, wanted: ReadonlySet<string>, visit: (tag: ScannedTag) => void): void {
  const codes = toSharedCodes(html)
  try {
    new TagScanner(html, codes, wanted).scan(visit)
  } finally {
    freeCodes(codes)
  }
}

class TagScanner {
  readonly #html: string
  readonly #codes: Uint16Array
  readonly #attributes: Attributes
  readonly #wanted: ReadonlySet<string>
  #isInHead = true
  #templates = 0
  #noscripts = 0

  constructor(html: string, codes: Uint16Array, wanted: ReadonlySet<string>) {
    this.#html = html
    this.#codes = codes
    this.#attributes = new Attributes({ html, isUtf8: false }, codes)
    this.#wanted = wanted
  }

  scan(visit: (tag: ScannedTag) => void): void {
    const html = this.#html
    const codes = this.#codes
    for (let pos = 0; pos !== -1; ) {
      const open = nextMarkup(html, codes, pos, html.length)
      if (open === -1) return
      if (this.#isInHead && !this.#isBlank(pos, open)) this.#isInHead = false
      const code = codes[open + 1]
      if (code === SLASH) pos = this.#endTag(open)
      else if (code === BANG || code === QUESTION) pos = this.#declaration(open)
      else pos = this.#startTag(open + 1, visit)
    }
  }

  #isBlank(start: number, end: number): boolean {
    for (let pos = start; pos < end; pos++) if (!isSpace(this.#codes[pos] ?? 0)) return false
    return true
  }

  #declaration(open: number): number {
    if (!this.#html.startsWith('!--', open + 1)) return skipPast(this.#html, '>', open + 2)
    return new CommentEndSearch(this.#html, this.#codes, open).find(this.#html.length)
  }

  #nameAt(start: number, end: number): string {
    return lowerAscii(this.#html.slice(start, Math.min(end, start + MAX_NAME)))
  }

  #endTag(open: number): number {
    const end = tagNameEnd(this.#codes, open + 2)
    const name = this.#nameAt(open + 2, end)
    if (name === 'template') this.#templates = Math.max(0, this.#templates - 1)
    else if (name === 'noscript') this.#noscripts = Math.max(0, this.#noscripts - 1)
    return end === open + 2 ? skipPast(this.#html, '>', open + 2) : skipTag(this.#html, this.#codes, end)
  }

  #startTag(start: number, visit: (tag: ScannedTag) => void): number {
    const nameEnd = tagNameEnd(this.#codes, start)
    const name = this.#nameAt(start, nameEnd)
    if (this.#isInHead && !HEAD.has(name)) this.#isInHead = false
    const isWanted = this.#templates === 0 && this.#wanted.has(name)
    const needsAttributes = isWanted || name === 'template'
    const end = needsAttributes ? this.#attributes.read(nameEnd) : skipTag(this.#html, this.#codes, nameEnd)
    if (end === -1) return -1
    if (isWanted) {
      const get = (attribute: string) => this.#attributes.getAny(attribute)
      visit({ name, get, isInHead: this.#isInHead, isInNoscript: this.#noscripts > 0, end })
    }
    if (name === 'template' && !this.#attributes.has('shadowrootmode')) this.#templates += 1
    else if (name === 'noscript') this.#noscripts += 1
    return this.#skipRawText(name, end)
  }

  #skipRawText(name: string, end: number): number {
    const { length } = this.#html
    if (name === 'plaintext') return -1
    if (name === 'script') return this.#skipEndTag(new ScriptEndSearch(this.#html, this.#codes, end).find(length))
    if (!RAW_TEXT.has(name)) return end
    return this.#skipEndTag(new EndTagSearch(this.#html, this.#codes, end, name).find(length))
  }

  #skipEndTag(close: number): number {
    return close === -1 ? -1 : skipTag(this.#html, this.#codes, close + 2)
  }
}
