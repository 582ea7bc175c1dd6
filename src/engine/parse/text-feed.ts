import { copyCodes } from './codes.ts'
import { decodeReference, referenceEnd } from './references.ts'
import { separates } from './separators.ts'

/** Takes the visible text of a page while it is read. */
export interface TextSink {
  /**
   * Decoded text in UTF-16, valid during the call; NULs in it are no part of the text. A word may go on in the next
   * call.
   */
  add(codes: Uint16Array, start: number, end: number): void
  /** Ends a block, and so a word. */
  separate(): void
  /** Told of every tag in the body, whose name is in [start, end); what stands before the name is `<` or `</`. */
  tag?(codes: Uint16Array, start: number, end: number): void
}

/** Hands the text of a page to a sink, piece by piece, with character references decoded; it makes no strings of it. */
export class TextFeed {
  readonly #html: string
  readonly #codes: Uint16Array
  readonly #sink: TextSink
  // Null when the sink does not care for tags: a crawl's does not.
  readonly #tags: Required<Pick<TextSink, 'tag'>> | null
  // The first `&` that is not behind us, so that the page is searched for them only once.
  #ampersand = -1

  constructor(html: string, codes: Uint16Array, sink: TextSink) {
    this.#html = html
    this.#codes = codes
    this.#sink = sink
    this.#tags = sink.tag === undefined ? null : (sink as Required<TextSink>)
  }

  /** Character data as it stands in the page. */
  add(start: number, end: number): void {
    while (start < end) {
      if (this.#ampersand < start) this.#ampersand = this.#findAmpersand(start)
      const stop = Math.min(this.#ampersand, end)
      if (stop > start) this.#sink.add(this.#codes, start, stop)
      if (stop === end) return
      start = referenceEnd(this.#codes, stop, end)
      this.#addAll(decodeReference(this.#html, this.#codes, stop, start))
    }
  }

  /** Raw text elements such as xmp, where `&amp;` stands for itself and NUL is not dropped. */
  addVerbatim(start: number, end: number): void {
    this.#addAll(copyCodes(this.#html.slice(start, end).replaceAll('\0', '\uFFFD')))
  }

  separate(): void {
    this.#sink.separate()
  }

  /** A start or end tag whose name is in [start, end). */
  passTag(start: number, end: number): void {
    if (separates(this.#codes, start, end)) this.separate()
    this.#tags?.tag(this.#codes, start, end)
  }

  #addAll(codes: Uint16Array): void {
    this.#sink.add(codes, 0, codes.length)
  }

  #findAmpersand(from: number): number {
    const at = this.#html.indexOf('&', from)
    return at === -1 ? this.#html.length : at
  }
}

/** One sink that hands everything on to two. */
export function both(first: TextSink, second: TextSink): TextSink {
  return {
    add: (codes, start, end) => {
      first.add(codes, start, end)
      second.add(codes, start, end)
    },
    separate: () => {
      first.separate()
      second.separate()
    },
    ...(second.tag === undefined ? {} : { tag: (codes, start, end) => second.tag?.(codes, start, end) }),
  }
}
