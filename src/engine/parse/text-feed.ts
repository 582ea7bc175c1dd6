import { isBlockTag } from './block-tags.ts'
import { AMPERSAND, NUL } from './characters.ts'
import type { HtmlSource } from './charset/decode-html.ts'
import { type CodeSpan, decodeReference, mayBeginReference, referenceEnd } from './html-references.ts'
import { passUtf8 } from './utf8-chars.ts'

const REPLACEMENT = Uint16Array.of(0xfffd)

/** Receives the visible text of a page while it is read. */
export interface TextSink {
  /**
   * Decoded UTF-16 text, valid during the call; NULs in it are not part of the text. A word may continue in the next
   * call.
   */
  add(codes: Uint16Array, start: number, end: number): void
  /**
   * Adds text up to the first character that is markup, the start of a reference, beyond ASCII, or too rare for a fast
   * loop; returns its position. Most text is passed on in this way, without a search for its end.
   */
  addPlain?(codes: Uint16Array, start: number, end: number): number
  /** Ends a block, and so a word. */
  endBlock(): void
  /** Called for every tag in the body, whose name is in [start, end); the name is preceded by `<` or `</`. */
  tag?(codes: Uint16Array, start: number, end: number): void
}

/** Passes the text of a page to a sink, piece by piece, with character references decoded, without creating strings. */
export class TextFeeder {
  readonly #html: string
  readonly #codes: Uint16Array
  readonly #sink: TextSink
  readonly #isUtf8: boolean
  // Null if the sink ignores tags, as the sink of a crawl does.
  readonly #tags: Required<Pick<TextSink, 'tag'>> | null
  readonly #plain: Required<Pick<TextSink, 'addPlain'>> | null
  // No reference starts between the current position and this one, so that the page is searched for references only
  // once.
  #ampersand = -1
  readonly #reference: CodeSpan

  constructor({ html, isUtf8 }: HtmlSource, codes: Uint16Array, sink: TextSink) {
    this.#html = html
    this.#codes = codes
    this.#sink = sink
    this.#isUtf8 = isUtf8
    this.#reference = { codes, start: 0, end: 0 }
    this.#plain = sink.addPlain === undefined ? null : (sink as Required<TextSink>)
    this.#tags = sink.tag === undefined ? null : (sink as Required<TextSink>)
  }

  /** Whether the sink is called for every tag, and not only for the ends of blocks. */
  get needsTags(): boolean {
    return this.#tags !== null
  }

  /** See TextSink. */
  addPlain(start: number, end: number): number {
    return this.#plain === null ? start : this.#plain.addPlain(this.#codes, start, end)
  }

  /** Passes on raw character data up to `stop` or the end of the reference there, and returns that position. */
  add(start: number, end: number, stop: number): number {
    while (start < stop) {
      if (this.#ampersand < start) this.#ampersand = this.#findReference(start, stop)
      const plainEnd = Math.min(this.#ampersand, stop)
      if (plainEnd > start) this.#pass(start, plainEnd)
      if (plainEnd === stop) return stop
      start = referenceEnd(this.#codes, plainEnd, end)
      const reference = this.#reference
      decodeReference(this.#codes, plainEnd, start, reference)
      this.#sink.add(reference.codes, reference.start, reference.end)
    }
    return start
  }

  /** Adds the text of raw text elements such as xmp, where `&amp;` is literal and NUL is not dropped. */
  addVerbatim(start: number, end: number): void {
    const codes = this.#codes
    let from = start
    for (let pos = start; pos < end; pos++) {
      if (codes[pos] !== NUL) continue
      if (pos > from) this.#pass(from, pos)
      this.#sink.add(REPLACEMENT, 0, 1)
      from = pos + 1
    }
    if (end > from) this.#pass(from, end)
  }

  #pass(start: number, end: number): void {
    if (this.#isUtf8) passUtf8(this.#codes, start, end, this.#sink)
    else this.#sink.add(this.#codes, start, end)
  }

  endBlock(): void {
    this.#sink.endBlock()
  }

  /** Handles a start or end tag whose name is in [start, end). */
  handleTag(start: number, end: number): void {
    if (isBlockTag(this.#codes, start, end)) this.endBlock()
    this.#tags?.tag(this.#codes, start, end)
  }

  #findReference(from: number, stop: number): number {
    const codes = this.#codes
    let at = this.#html.indexOf('&', from)
    while (at !== -1 && at < stop && !mayBeginReference(codes[at + 1] ?? 0)) {
      at = codes[at + 1] === AMPERSAND ? at + 1 : this.#html.indexOf('&', at + 1)
    }
    return at === -1 ? this.#html.length : at
  }
}

/** A sink that forwards everything to two others. */
export function teeSinks(first: TextSink, second: TextSink): TextSink {
  return {
    add: (codes, start, end) => {
      first.add(codes, start, end)
      second.add(codes, start, end)
    },
    endBlock: () => {
      first.endBlock()
      second.endBlock()
    },
    ...(second.tag === undefined ? {} : { tag: (codes, start, end) => second.tag?.(codes, start, end) }),
  }
}
