import { decodeHTML } from 'entities/decode'
import { DEFAULT_MAX_LINKS } from '../../config/defaults.ts'
import { Attributes, normaliseInput } from './attributes.ts'
import { BANG, GREATER, isLetter, isSpace, LESS, lowerAscii, QUESTION, SLASH } from './characters.ts'
import type { HtmlSource } from './charset/decode-html.ts'
import { HtmlFactCollector, type HtmlFacts, type HtmlLink } from './fact-sheet.ts'
import { FramesetTracker } from './frameset.ts'
import { OpenElements } from './open-elements.ts'
import { PageText, type WantedText } from './page-text.ts'
import type { PendingRawText, PendingText, RawTextKind } from './pending-text.ts'
import { CommentEndSearch, EndTagSearch, NOT_YET, type RawTextSearch, ScriptEndSearch } from './raw-text-search.ts'
import { RequisiteCollector } from './requisites.ts'
import { nextMarkup, nextRelevantMarkup, skipPast, skipTag, tagNameEnd } from './skip-markup.ts'
import { HEAD_TAGS, identifyTag, isInlineTag, TAG_ID, type TagId } from './tags.ts'
import { TextFeeder, type TextSink, teeSinks } from './text-feed.ts'
import { characterEnd, characterStart, decodeUtf8Chars } from './utf8-chars.ts'
import { freeCodes, toSharedCodes } from './utf16-codes.ts'

export { type HtmlFacts, type HtmlLink, LINK_KINDS, type LinkKind } from './fact-sheet.ts'

/**
 * Reads a decoded page in one pass and linear time, with the links that a browser without scripts would find. `sink`
 * receives the visible text as it is read, which costs less than building a string. Without links (`maxLinks` 0), `a`
 * elements are skipped.
 */
export function readHtml(
  html: string,
  wantText: WantedText,
  sink: TextSink | null = null,
  maxLinks = DEFAULT_MAX_LINKS,
): HtmlFacts {
  const reader = new HtmlReader({ html, isUtf8: false }, { wantText, sink, maxLinks, wantsRequisites: false })
  reader.readOn(html.length)
  return reader.finish()
}

export interface ReaderOptions {
  wantText: WantedText
  sink: TextSink | null
  /** Further links are only counted. */
  maxLinks: number
  /** If true, every tag is read. */
  wantsRequisites: boolean
}

/** No relevant tag has a longer name. */
const MAX_NAME = 64
/** Maximum length of a title in the source. */
const MAX_TITLE = 1 << 14
/** Beyond any page: the current step ends here, because something else comes first. */
const RESUME_LATER = Number.MAX_SAFE_INTEGER

/**
 * A tokenizer that follows https://html.spec.whatwg.org/multipage/parsing.html#tokenization and tracks only as much of
 * the tree as decides whether a tag has an effect: templates, SVG and MathML, framesets. The private methods return the
 * position where reading continues, or -1 if the page ends inside the construct, which is then ignored.
 *
 * A page of more than SHARED_LENGTH characters may be read in steps, interleaved with other pages. Text can be split
 * anywhere, and the search for the end of a comment or script continues in the next step. A tag is read at once.
 */
export class HtmlReader {
  readonly #html: string
  readonly #isUtf8: boolean
  readonly #codes: Uint16Array
  readonly #attributes: Attributes
  readonly #facts: HtmlFactCollector
  readonly #open: OpenElements
  readonly #frameset = new FramesetTracker()
  // Receives all visible text; null if it is not needed.
  readonly #feed: TextFeeder | null
  readonly #text: PageText | null
  readonly #wantsAnchorTextOnly: boolean
  readonly #wantsLinks: boolean
  readonly #requisites: RequisiteCollector | null
  // Whether a frameset, template or SVG is open or possible, so that any tag may change which tags have an effect.
  #tracksTree = true
  // Whether every tag must be examined, for the tree or for the text. False in the body of most pages: only links
  // matter.
  #readsEveryTag = true
  // Whether only tags that are read or end a block matter to the text.
  #skipsInlineTags = false
  #pos = 0
  #pending: PendingText | null = null
  #raw: PendingRawText | null = null
  // End of the current step.
  #limit = 0

  constructor(source: HtmlSource, { wantText, sink, maxLinks, wantsRequisites }: ReaderOptions) {
    const { html } = source
    this.#html = html
    this.#isUtf8 = source.isUtf8
    this.#codes = toSharedCodes(html)
    this.#facts = new HtmlFactCollector(maxLinks)
    this.#open = new OpenElements(html)
    this.#attributes = new Attributes(source, this.#codes)
    this.#text = wantText === false ? null : new PageText(html.length)
    this.#wantsAnchorTextOnly = wantText === 'anchors'
    this.#wantsLinks = maxLinks > 0
    this.#requisites = wantsRequisites ? new RequisiteCollector() : null
    if (this.#text !== null) sink = sink === null ? this.#text : teeSinks(this.#text, sink)
    this.#feed = sink === null ? null : new TextFeeder(source, this.#codes, sink)
  }

  /** Reads about `chars` more characters, always finishing the current tag. Returns false at the end of the page. */
  readOn(chars: number): boolean {
    const from = this.#raw === null ? (this.#pending?.at ?? this.#pos) : this.#limit
    this.#limit = from + chars
    do {
      if (!this.#feedPending() || !this.#continueRawSearch()) return true
      if (this.#pending === null) this.#readMarkup()
    } while (this.#pending !== null || this.#raw !== null)
    return this.#pos !== -1 && this.#pos <= this.#html.length
  }

  /** Called once, when everything is read: the codes are no longer there afterwards. */
  finish(): HtmlFacts {
    freeCodes(this.#codes)
    return this.#facts.finish(this.#text?.finish() ?? '', this.#requisites)
  }

  #readMarkup(): void {
    const html = this.#html
    const codes = this.#codes
    const limit = this.#limit
    let pos = this.#pos
    while (pos !== -1 && pos <= limit) {
      if (this.#skipsInlineTags && codes[pos] !== LESS) pos = this.#addPlainText(pos, Math.min(limit, html.length))
      const open = this.#readsEveryTag
        ? nextMarkup(html, codes, pos, limit)
        : nextRelevantMarkup(html, codes, pos, limit)
      if (open === -1 || open > limit) {
        this.#passText(pos, open)
        return
      }
      if (this.#readsEveryTag) {
        this.#readText(pos, open, open)
        if (this.#skipsInlineTags && isInlineTag(codes, open)) {
          pos = skipTag(html, codes, open + 2)
          continue
        }
      }
      const code = codes[open + 1]
      if (code === SLASH) pos = this.#readEndTag(open)
      else if (code === BANG || code === QUESTION) pos = this.#skipDeclaration(open)
      else pos = this.#readStartTag(open + 1)
    }
    if (pos !== RESUME_LATER) this.#pos = pos
  }

  #addPlainText(pos: number, end: number): number {
    return this.#feed === null || this.#open.hidesText ? pos : this.#feed.addPlain(pos, end)
  }

  /** Passes on text from `pos` beyond a limit: up to the next markup, or to the end if there is none (-1). */
  #passText(pos: number, open: number): void {
    const end = open === -1 ? this.#html.length : open
    this.#pos = open === -1 ? end + 1 : open
    if (this.#readsEveryTag && pos < end) this.#pending = { at: pos, end, isVerbatim: false, isBlock: false }
  }

  /** Passes on the pending part of the step; returns false if more is left. */
  #feedPending(): boolean {
    const pending = this.#pending
    if (pending === null) return true
    const { at, end, isVerbatim, isBlock } = pending
    const limit = Math.max(at, Math.min(end, this.#limit))
    const stop = this.#isUtf8 ? characterEnd(this.#codes, limit, end) : limit
    if (isVerbatim) this.#feed?.addVerbatim(at, stop)
    pending.at = isVerbatim ? stop : this.#readText(at, end, stop)
    if (pending.at < end) return false
    if (isBlock) this.#feed?.endBlock()
    this.#pending = null
    return true
  }

  /** Continues the search for the end of raw text; returns false if nothing else is left to do in this step. */
  #continueRawSearch(): boolean {
    if (this.#raw === null) return true
    const { search, kind, start } = this.#raw
    const close = search.find(this.#limit)
    if (close === NOT_YET) return false
    this.#raw = null
    const pos = this.#endRaw(kind, start, close)
    // The text in between started long before this step.
    if (pos === RESUME_LATER) return false
    this.#pos = pos
    return true
  }

  /** Reads up to `stop` or the end of the character reference there, and returns that position. */
  #readText(start: number, end: number, stop: number): number {
    if (start >= stop) return start
    if (this.#frameset.isOpen) {
      this.#frameset.onText(this.#html, start, stop)
      this.#updateModes()
    }
    return this.#feed !== null && !this.#open.hidesText ? this.#feed.add(start, end, stop) : stop
  }

  #skipDeclaration(open: number): number {
    const html = this.#html
    if (html.startsWith('--', open + 2) && html.charCodeAt(open + 1) === BANG)
      return this.#seek(new CommentEndSearch(html, this.#codes, open), 'comment', open)
    if (this.#open.inForeign && html.startsWith('![CDATA[', open + 1)) return this.#readCdata(open + 9)
    return skipPast(html, '>', open + 2)
  }

  #readCdata(start: number): number {
    const end = this.#html.indexOf(']]>', start)
    if (end === -1) return -1
    return this.#passVerbatim({ at: start, end, isVerbatim: true, isBlock: false }, end + 3)
  }

  #readEndTag(open: number): number {
    const html = this.#html
    const start = open + 2
    const code = html.charCodeAt(start)
    if (!isLetter(code)) {
      if (code === GREATER) return start + 1
      // A page that ends in `</` shows it as text; there is no tag left to lose.
      return skipPast(html, '>', start)
    }
    const nameEnd = tagNameEnd(this.#codes, start)
    const end = skipTag(html, this.#codes, nameEnd)
    if (end === -1 || !this.#readsEveryTag) return end
    if (!this.#frameset.replacesBody) {
      if (this.#text !== null && identifyTag(this.#codes, start, nameEnd) === TAG_ID.a) this.#closeAnchor(this.#text)
      this.#feed?.handleTag(start, nameEnd)
    }
    if (this.#tracksTree) this.#endElement(this.#nameAt(start, nameEnd))
    return end
  }

  #endElement(name: string): void {
    if (this.#frameset.replacesBody) {
      if (name === 'frameset') this.#frameset.close()
      return
    }
    if (!this.#open.isEmpty) {
      this.#open.end(name)
      this.#updateModes()
    }
  }

  #readStartTag(start: number): number {
    const html = this.#html
    const nameEnd = tagNameEnd(this.#codes, start)
    const tagId = identifyTag(this.#codes, start, nameEnd)
    const requisites = this.#requisites
    const isIrrelevant = tagId === TAG_ID.other || (tagId === TAG_ID.a && !this.#wantsLinks)
    if (!this.#tracksTree && isIrrelevant && requisites === null) {
      this.#feed?.handleTag(start, nameEnd)
      return skipTag(html, this.#codes, nameEnd)
    }
    const end = this.#attributes.read(nameEnd)
    if (end === -1) return -1
    if (this.#frameset.replacesBody) return this.#startInFrameset(tagId, end)
    if (requisites !== null && !this.#open.inTemplate)
      requisites.addElement(this.#nameAt(start, nameEnd), this.#attributes)
    this.#feed?.handleTag(start, nameEnd)
    if (!this.#tracksTree || (this.#open.isEmpty && HEAD_TAGS.has(tagId))) return this.#startHtml(tagId, end)
    return this.#startElement(tagId, this.#nameAt(start, nameEnd), end)
  }

  #startElement(tagId: TagId, name: string, end: number): number {
    if (!this.#open.isEmpty) {
      const namespace = this.#open.start(name, this.#attributes)
      this.#updateModes()
      if (namespace !== 'html') {
        if (namespace === 'svg' && tagId === TAG_ID.a) this.#startSvgAnchor()
        return end
      }
    }
    if (this.#frameset.isOpen) {
      this.#frameset.onTag(name, this.#attributes, this.#facts.links.length)
      this.#updateModes()
    }
    return tagId === TAG_ID.other ? end : this.#startHtml(tagId, end)
  }

  #startSvgAnchor(): void {
    if (this.#open.inTemplate) return
    this.#openAnchor(this.#facts.addSvgAnchor(this.#attributes))
  }

  #startInFrameset(tagId: TagId, end: number): number {
    if (tagId === TAG_ID.noframes) return this.#skipText(end, 'noframes')
    if (tagId === TAG_ID.html) this.#facts.addHtml(this.#attributes)
    else if (tagId === TAG_ID.frameset) this.#frameset.open()
    else if (tagId === TAG_ID.frame && this.#frameset.inFrames) this.#facts.addFrame('frame', this.#attributes)
    return end
  }

  /** A start tag in HTML content; raw text is read along with it. */
  #startHtml(tagId: TagId, end: number): number {
    const html = this.#html
    if (!this.#open.inTemplate) this.#collectFacts(tagId)
    switch (tagId) {
      case TAG_ID.script:
        return this.#seek(new ScriptEndSearch(html, this.#codes, end), 'skipped', end)
      case TAG_ID.style:
        return this.#seek(new EndTagSearch(html, this.#codes, end, 'style'), 'style', end)
      case TAG_ID.textarea:
        return this.#skipText(end, 'textarea')
      case TAG_ID.iframe:
        return this.#skipText(end, 'iframe')
      case TAG_ID.noembed:
        return this.#skipText(end, 'noembed')
      case TAG_ID.noframes:
        return this.#skipText(end, 'noframes')
      case TAG_ID.title:
        return this.#seek(new EndTagSearch(html, this.#codes, end, 'title'), 'title', end)
      case TAG_ID.xmp:
        return this.#seek(new EndTagSearch(html, this.#codes, end, 'xmp'), 'verbatim', end)
      case TAG_ID.plaintext:
        return this.#endRaw('verbatim', end, -1)
      case TAG_ID.svg:
      case TAG_ID.math:
        if (!this.#attributes.selfClosing) this.#open.openForeign(tagId === TAG_ID.svg ? 'svg' : 'math', end)
        this.#updateModes()
        return end
      case TAG_ID.template:
        // The content of a shadow root is shown.
        if (this.#isShadowRoot) return end
        this.#open.openTemplate()
        this.#updateModes()
        return end
      default:
        return end
    }
  }

  /** Nothing inside a template is shown, shadow roots included. */
  get #isShadowRoot(): boolean {
    const mode = this.#attributes.get('shadowrootmode')
    return mode !== null && /^(?:open|closed)$/i.test(mode) && !this.#open.inTemplate
  }

  #collectFacts(tagId: TagId): void {
    const facts = this.#facts
    const attributes = this.#attributes
    switch (tagId) {
      case TAG_ID.a: {
        if (this.#text !== null) this.#closeAnchor(this.#text)
        if (this.#wantsLinks) this.#openAnchor(facts.addAnchor('a', attributes))
        return
      }
      case TAG_ID.area:
        facts.addAnchor('area', attributes)
        return
      case TAG_ID.link:
        facts.addLinkElement(attributes)
        return
      case TAG_ID.iframe:
        facts.addFrame('iframe', attributes)
        return
      case TAG_ID.meta:
        facts.addMeta(attributes)
        return
      case TAG_ID.base:
        facts.addBase(attributes)
        return
      case TAG_ID.html:
        facts.addHtml(attributes)
        return
      case TAG_ID.frameset:
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

  #skipText(start: number, name: string): number {
    return this.#seek(new EndTagSearch(this.#html, this.#codes, start, name), 'skipped', start)
  }

  #seek(search: RawTextSearch, kind: RawTextKind, start: number): number {
    const close = search.find(this.#limit)
    if (close !== NOT_YET) return this.#endRaw(kind, start, close)
    this.#raw = { search, kind, start }
    return RESUME_LATER
  }

  /** `close` is the end of a comment, or the `<` of the end tag. */
  #endRaw(kind: RawTextKind, start: number, close: number): number {
    if (kind === 'comment') return close
    const end = close === -1 ? this.#html.length : close
    const next = close === -1 ? -1 : skipTag(this.#html, this.#codes, close + 2)
    if (kind === 'title') this.#readTitle(start, end)
    if (kind === 'style') this.#readStyles(start, end)
    if (kind !== 'verbatim') return next
    return this.#passVerbatim({ at: start, end, isVerbatim: true, isBlock: true }, next)
  }

  #readStyles(start: number, end: number): void {
    if (this.#requisites === null || this.#open.inTemplate) return
    const css = this.#html.slice(start, end)
    this.#requisites.addStyles(this.#isUtf8 ? decodeUtf8Chars(css) : css)
  }

  #readTitle(start: number, end: number): void {
    if (this.#facts.hasTitle || this.#open.inTemplate) return
    let from = start
    while (from < end && isSpace(this.#codes[from] ?? 0)) from++
    const cut = Math.min(end, from + MAX_TITLE)
    const chars = this.#html.slice(from, this.#isUtf8 ? characterStart(this.#codes, cut) : cut)
    this.#facts.addTitle(decodeHTML(normaliseInput(this.#isUtf8 ? decodeUtf8Chars(chars) : chars)))
  }

  /** `next` is where reading continues. */
  #passVerbatim(text: PendingText, next: number): number {
    if (this.#feed === null || this.#open.hidesText) return next
    this.#pending = text
    this.#pos = next
    return RESUME_LATER
  }

  #nameAt(start: number, end: number): string {
    return lowerAscii(this.#html.slice(start, Math.min(end, start + MAX_NAME)))
  }

  #openAnchor(link: HtmlLink | null): void {
    if (link === null || this.#text === null) return
    this.#text.openAnchor(link)
    if (this.#wantsAnchorTextOnly) this.#updateModes()
  }

  #closeAnchor(text: PageText): void {
    text.closeAnchor()
    if (this.#wantsAnchorTextOnly) this.#updateModes()
  }

  #updateModes(): void {
    this.#tracksTree = this.#frameset.isOpen || this.#frameset.replacesBody || !this.#open.isEmpty
    const wantsText = this.#feed !== null && (!this.#wantsAnchorTextOnly || this.#text?.isInAnchor === true)
    this.#readsEveryTag = this.#tracksTree || wantsText || this.#requisites !== null
    this.#skipsInlineTags = !this.#tracksTree && this.#requisites === null && this.#feed?.needsTags === false
  }
}
