// Collects text and links of one document, up to the limits.

import { collapseSpaces } from '../../parse/characters.ts'
import type { ExtractedLink } from '../content-type.ts'
import type { DocumentLimits } from '../document-types.ts'

export class ExtractBuffer {
  readonly links: ExtractedLink[] = []
  readonly #limits: Pick<DocumentLimits, 'maxChars' | 'maxLinks'>
  #text = ''
  isTruncated = false

  constructor(limits: Pick<DocumentLimits, 'maxChars' | 'maxLinks'>) {
    this.#limits = limits
  }

  get text(): string {
    return this.#text.trim()
  }

  get isFull(): boolean {
    return this.#text.length >= this.#limits.maxChars
  }

  /** Length of the text so far, so that the text of a link can be extracted from it. */
  get length(): number {
    return this.#text.length
  }

  textFrom(start: number): string {
    return collapseSpaces(this.#text.slice(start))
  }

  add(text: string): void {
    const room = this.#limits.maxChars - this.#text.length
    this.isTruncated ||= text.length > room
    this.#text += text.slice(0, room)
  }

  addLink(link: ExtractedLink): void {
    if (this.links.length < this.#limits.maxLinks) this.links.push(link)
    else this.isTruncated = true
  }
}
