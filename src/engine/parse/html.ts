import { decodeHTML } from 'entities'
import { Attributes, normaliseInput } from './attributes.ts'
import { BANG, GREATER, isLetter, lowerAscii, QUESTION, SLASH } from './characters.ts'
import { toCodes } from './codes.ts'
import { FactSheet, type HtmlFacts } from './facts.ts'
import { Frameset } from './frameset.ts'
import { OpenElements } from './open-elements.ts'
import { findCommentEnd, findEndTag, findScriptEnd } from './rawtext.ts'
import { nextMarkup, nextOfInterest, skipTag, tagNameEnd } from './skip.ts'
import { identifyTag, TAG, type Tag } from './tags.ts'
import { PageText } from './text.ts'
import { both, TextFeed, type TextSink } from './text-feed.ts'

export { type HtmlFacts, type HtmlLink, LINK_KINDS, type LinkKind } from './facts.ts'

/**
 * Reads a decoded page in one pass and linear time, with the links a browser without scripts would find. `sink` takes
 * the visible text as it comes, which costs less than having it as a string.
 */
export function readHtml(html: string, wantText: boolean, sink: TextSink | null = null): HtmlFacts {
  const reader = new HtmlReader(html, wantText, sink)
  reader.readTo(html.length)
  return reader.finish()
}

// Tags of the head leave the question of the frameset open, so they need no more than their own reading.
const HEAD: ReadonlySet<Tag> = new Set([TAG.html, TAG.link, TAG.meta, TAG.script, TAG.style, TAG.title])

/**
 * A tokenizer that follows https://html.spec.whatwg.org/multipage/parsing.html#tokenization and keeps only as much of
 * the tree as decides whether a tag counts: templates, SVG and MathML, framesets. Positions returned by the private
 * methods are where reading goes on; -1 means that the page ended inside the construct, which then does not count.
 *
 * A page of more than SHARED_LENGTH characters may be read in stretches, with other pages in between.
 */
export class HtmlReader {
  readonly #html: string
  readonly #codes: Uint16Array
  readonly #attributes: Attributes
  readonly #facts = new FactSheet()
  readonly #open: OpenElements
  readonly #frameset = new Frameset()
  // Takes all visible text; null if nobody wants it.
  readonly #feed: TextFeed | null
  readonly #text: PageText | null
  // Whether a frameset, template or SVG is open or possible, so that any tag may change what counts.
  #tracksTree = true
  // Whether every tag needs a look, for the tree or for the text. False on the body of most pages: only links matter.
  #looksAtAll = true
  #pos = 0
  #textStart = 0

  constructor(html: string, wantText: boolean, sink: TextSink | null = null) {
    this.#html = html
    this.#codes = toCodes(html)
    this.#open = new OpenElements(html)
    this.#attributes = new Attributes(html, this.#codes)
    this.#text = wantText ? new PageText(html.length) : null
    if (this.#text !== null) sink = sink === null ? this.#text : both(this.#text, sink)
    this.#feed = sink === null ? null : new TextFeed(html, this.#codes, sink)
  }

  /** Reads on until past this position; false when the page is at its end. */
  readTo(limit: number): boolean {
    const html = this.#html
    const codes = this.#codes
    let pos = this.#pos
    let textStart = this.#textStart
    while (pos !== -1 && pos <= limit) {
      const open = this.#looksAtAll ? nextMarkup(html, codes, pos) : nextOfInterest(html, codes, pos)
      if (open === -1) {
        pos = html.length + 1
        break
      }
      const code = codes[open + 1]
      if (this.#looksAtAll) this.#readText(textStart, open)
      if (code === SLASH) pos = this.#readEndTag(open)
      else if (code === BANG || code === QUESTION) pos = this.#skipDeclaration(open)
      else pos = this.#readStartTag(open + 1)
      textStart = pos
    }
    this.#pos = pos
    this.#textStart = textStart
    return pos !== -1 && pos <= html.length
  }

  finish(): HtmlFacts {
    if (this.#pos !== -1 && this.#looksAtAll) this.#readText(this.#textStart, this.#html.length)
    return this.#facts.finish(this.#text?.finish() ?? '')
  }

  #readText(start: number, end: number): void {
    if (start === end) return
    if (this.#frameset.isOpen) {
      this.#frameset.seeText(this.#html, start, end)
      this.#updateLook()
    }
    if (this.#feed !== null && !this.#open.hidesText) this.#feed.add(start, end)
  }

  #skipDeclaration(open: number): number {
    const html = this.#html
    if (html.startsWith('--', open + 2) && html.charCodeAt(open + 1) === BANG) return findCommentEnd(html, open)
    if (this.#open.inForeign && html.startsWith('![CDATA[', open + 1)) return this.#readCdata(open + 9)
    return after(html, '>', open + 2)
  }

  #readCdata(start: number): number {
    const end = this.#html.indexOf(']]>', start)
    if (end === -1) return -1
    if (!this.#open.hidesText) this.#feed?.addVerbatim(start, end)
    return end + 3
  }

  #readEndTag(open: number): number {
    const html = this.#html
    const start = open + 2
    const code = html.charCodeAt(start)
    if (!isLetter(code)) {
      if (code === GREATER) return start + 1
      // A page that ends in `</` shows it as text; there is no tag left to lose.
      return after(html, '>', start)
    }
    const nameEnd = tagNameEnd(this.#codes, start)
    const end = skipTag(html, this.#codes, nameEnd)
    if (end === -1 || !this.#looksAtAll) return end
    if (!this.#frameset.replacesBody) {
      if (this.#text !== null && identifyTag(this.#codes, start, nameEnd) === TAG.a) this.#text.closeAnchor()
      this.#feed?.passTag(start, nameEnd)
    }
    if (this.#tracksTree) this.#endElement(lowerAscii(html.slice(start, nameEnd)))
    return end
  }

  #endElement(name: string): void {
    if (this.#frameset.replacesBody) {
      if (name === 'frameset') this.#frameset.close()
      return
    }
    if (!this.#open.isEmpty) {
      this.#open.end(name)
      this.#updateLook()
    }
  }

  #readStartTag(start: number): number {
    const html = this.#html
    const nameEnd = tagNameEnd(this.#codes, start)
    const tag = identifyTag(this.#codes, start, nameEnd)
    if (tag === TAG.other && !this.#tracksTree) {
      this.#feed?.passTag(start, nameEnd)
      return skipTag(html, this.#codes, nameEnd)
    }
    const end = this.#attributes.read(nameEnd)
    if (end === -1) return -1
    if (this.#frameset.replacesBody) return this.#startInFrameset(tag, end)
    this.#feed?.passTag(start, nameEnd)
    if (!this.#tracksTree || (this.#open.isEmpty && HEAD.has(tag))) return this.#startHtml(tag, end)
    return this.#startElement(tag, lowerAscii(html.slice(start, nameEnd)), end)
  }

  #startElement(tag: Tag, name: string, end: number): number {
    if (!this.#open.isEmpty) {
      const namespace = this.#open.start(name, this.#attributes)
      this.#updateLook()
      if (namespace !== 'html') {
        if (namespace === 'svg' && tag === TAG.a) this.#startSvgAnchor()
        return end
      }
    }
    if (this.#frameset.isOpen) {
      this.#frameset.seeTag(name, this.#attributes, this.#facts.links.length)
      this.#updateLook()
    }
    return tag === TAG.other ? end : this.#startHtml(tag, end)
  }

  #startSvgAnchor(): void {
    if (this.#open.inTemplate) return
    const link = this.#facts.addSvgAnchor(this.#attributes)
    if (link !== null) this.#text?.openAnchor(link)
  }

  #startInFrameset(tag: Tag, end: number): number {
    if (tag === TAG.noframes) return this.#skipRaw(findEndTag(this.#html, end, 'noframes'))
    if (tag === TAG.html) this.#facts.addHtml(this.#attributes)
    else if (tag === TAG.frameset) this.#frameset.open()
    else if (tag === TAG.frame && this.#frameset.inFrames) this.#facts.addFrame('frame', this.#attributes)
    return end
  }

  /** A start tag in HTML content: its text, if it is raw, is read with it. */
  #startHtml(tag: Tag, end: number): number {
    const html = this.#html
    if (!this.#open.inTemplate) this.#gather(tag)
    switch (tag) {
      case TAG.script:
        return this.#skipRaw(findScriptEnd(html, end))
      case TAG.style:
        return this.#skipRaw(findEndTag(html, end, 'style'))
      case TAG.textarea:
        return this.#skipRaw(findEndTag(html, end, 'textarea'))
      case TAG.iframe:
        return this.#skipRaw(findEndTag(html, end, 'iframe'))
      case TAG.noembed:
        return this.#skipRaw(findEndTag(html, end, 'noembed'))
      case TAG.noframes:
        return this.#skipRaw(findEndTag(html, end, 'noframes'))
      case TAG.title:
        return this.#readTitle(end)
      case TAG.xmp:
        return this.#readVerbatim(end, findEndTag(html, end, 'xmp'))
      case TAG.plaintext:
        return this.#readVerbatim(end, -1)
      case TAG.svg:
      case TAG.math:
        if (!this.#attributes.selfClosing) this.#open.openForeign(tag === TAG.svg ? 'svg' : 'math', end)
        this.#updateLook()
        return end
      case TAG.template:
        this.#open.openTemplate()
        this.#updateLook()
        return end
      default:
        return end
    }
  }

  #gather(tag: Tag): void {
    const facts = this.#facts
    const attributes = this.#attributes
    switch (tag) {
      case TAG.a: {
        this.#text?.closeAnchor()
        const link = facts.addAnchor('a', attributes)
        if (link !== null) this.#text?.openAnchor(link)
        return
      }
      case TAG.area:
        facts.addAnchor('area', attributes)
        return
      case TAG.link:
        facts.addLinkElement(attributes)
        return
      case TAG.iframe:
        facts.addFrame('iframe', attributes)
        return
      case TAG.meta:
        facts.addMeta(attributes)
        return
      case TAG.base:
        facts.addBase(attributes)
        return
      case TAG.html:
        facts.addHtml(attributes)
        return
      case TAG.frameset:
        this.#startFrameset()
        return
      default:
        return
    }
  }

  #startFrameset(): void {
    if (!this.#frameset.isOpen || !this.#open.isEmpty) return
    if (this.#frameset.linksBeforeBody !== -1) this.#facts.links.length = this.#frameset.linksBeforeBody
    this.#frameset.open()
  }

  #readTitle(start: number): number {
    const close = findEndTag(this.#html, start, 'title')
    if (!this.#facts.hasTitle && !this.#open.inTemplate) {
      const raw = this.#html.slice(start, close === -1 ? this.#html.length : close)
      this.#facts.addTitle(decodeHTML(normaliseInput(raw)))
    }
    return this.#skipRaw(close)
  }

  #readVerbatim(start: number, close: number): number {
    if (this.#feed !== null && !this.#open.hidesText) {
      this.#feed.addVerbatim(start, close === -1 ? this.#html.length : close)
      this.#feed.separate()
    }
    return this.#skipRaw(close)
  }

  /** Past the end tag whose `<` is at `close`. */
  #skipRaw(close: number): number {
    return close === -1 ? -1 : skipTag(this.#html, this.#codes, close + 2)
  }

  #updateLook(): void {
    this.#tracksTree = this.#frameset.isOpen || this.#frameset.replacesBody || !this.#open.isEmpty
    this.#looksAtAll = this.#tracksTree || this.#feed !== null
  }
}

function after(html: string, text: string, pos: number): number {
  const at = html.indexOf(text, pos)
  return at === -1 ? -1 : at + text.length
}
