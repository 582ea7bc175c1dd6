import type { Attributes } from './attributes.ts'
import { equalsIgnoringCase, isSpace, NUL } from './characters.ts'
import { FRAMESET_BLOCKERS, HEAD_TAGS } from './element-names.ts'

/**
 * Tracks whether the page is a frameset. It starts 'open': the first visible content makes it a 'body' for good, and a
 * `<frameset>` before that makes it 'frames', in which only frames count, and 'after' once that is closed.
 */
export class FramesetTracker {
  #state: 'open' | 'body' | 'frames' | 'after' = 'open'
  #depth = 0
  #linksBeforeBody = -1

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  get inFrames(): boolean {
    return this.#state === 'frames'
  }

  /** Whether the frameset has replaced the body. */
  get replacesBody(): boolean {
    return this.#state === 'frames' || this.#state === 'after'
  }

  /** A frameset discards the body before it, so the number of links before that body is remembered. */
  get linksBeforeBody(): number {
    return this.#linksBeforeBody
  }

  onText(html: string, start: number, end: number): void {
    for (let pos = start; pos < end; pos++) {
      const code = html.charCodeAt(pos)
      if (isSpace(code) || code === NUL) continue
      this.#state = 'body'
      return
    }
  }

  onTag(name: string, attributes: Attributes, linkCount: number): void {
    if (this.#linksBeforeBody === -1 && !HEAD_TAGS.has(name)) this.#linksBeforeBody = linkCount
    if (!FRAMESET_BLOCKERS.has(name)) return
    if (name === 'input' && equalsIgnoringCase(attributes.get('type') ?? '', 'hidden')) return
    this.#state = 'body'
  }

  open(): void {
    if (this.#state === 'open') this.#state = 'frames'
    if (this.#state === 'frames') this.#depth++
  }

  close(): void {
    if (this.#state === 'frames' && --this.#depth === 0) this.#state = 'after'
  }
}
