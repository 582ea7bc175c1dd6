import { isBlockTag } from './block-tags.ts'
import { AMPERSAND, NUL } from './characters.ts'
import { type CodeSpan, decodeReference, mayBeginReference, referenceEnd } from './html-references.ts'

const REPLACEMENT = Uint16Array.of(0xfffd)

/** Takes the visible text of a page while it is read. */
export interface TextSink {
  /**
   * Decoded text in UTF-16, valid during the call; NULs in it are no part of the text. A word may go on in the next
   * call.
   */
  add(codes: Uint16Array, start: number, end: number): void
  /** Ends a block, and so a word. */
  endBlock(): void
  /** Told of every tag in the body, whose name is in [start, end); what stands before the name is `<` or `</`. */
  tag?(codes: Uint16Array, start: number, end: number): void
}

/** Hands the text of a page to a sink, piece by piece, with character references decoded; it makes no strings of it. */
export class TextFeeder {
  readonly #html: string
  readonly #codes: Uint16Array
  readonly #sink: TextSink
  // Null when the sink does not care for tags: a crawl's does not.
  readonly #tags: Required<Pick<TextSink, 'tag'>> | null
  // No reference begins before this position that is not behind us, so that the page is searched for them only once.
  #ampersand = -1
  readonly #reference: CodeSpan

  constructor(html: string, codes: Uint16Array, sink: TextSink) {
    this.#html = html
    this.#codes = codes
    this.#sink = sink
    this.#reference = { codes, start: 0, end: 0 }
    this.#tags = sink.tag === undefined ? null : (sink as Required<TextSink>)
  }

  /** Character data as it stands in the page, up to `stop` or the end of the reference there; answers where that is. */
  add(start: number, end: number, stop: number): number {
    while (start < stop) {
      if (this.#ampersand < start) this.#ampersand = this.#findReference(start, stop)
      const plainEnd = Math.min(this.#ampersand, stop)
      if (plainEnd > start) this.#sink.add(this.#codes, start, plainEnd)
      if (plainEnd === stop) return stop
      start = referenceEnd(this.#codes, plainEnd, end)
      const reference = this.#reference
      decodeReference(this.#codes, plainEnd, start, reference)
      this.#sink.add(reference.codes, reference.start, reference.end)
    }
    return start
  }

  /** Raw text elements such as xmp, where `&amp;` stands for itself and NUL is not dropped. */
  addVerbatim(start: number, end: number): void {
    const codes = this.#codes
    let from = start
    for (let pos = start; pos < end; pos++) {
      if (codes[pos] !== NUL) continue
      if (pos > from) this.#sink.add(codes, from, pos)
      this.#sink.add(REPLACEMENT, 0, 1)
      from = pos + 1
    }
    if (end > from) this.#sink.add(codes, from, end)
  }

  endBlock(): void {
    this.#sink.endBlock()
  }

  /** A start or end tag whose name is in [start, end). */
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

/** One sink that hands everything on to two. */
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
