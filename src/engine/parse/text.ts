import { decodeHTML } from 'entities'
import { collapseSpaces } from './characters.ts'

/** The visible text of a page, gathered in pieces, and the text of the anchor that is open, if any. */
export class PageText {
  readonly #pieces: string[] = []
  #anchor: { text: string } | null = null
  #anchorStart = 0

  /** Character data as it stands in the page. NULs vanish there, as the tree builder drops them. */
  add(raw: string): void {
    const text = raw.includes('\0') ? raw.replaceAll('\0', '') : raw
    this.#pieces.push(text.includes('&') ? decodeHTML(text) : text)
  }

  /** Raw text elements such as xmp, where `&amp;` stands for itself. */
  addVerbatim(raw: string): void {
    this.#pieces.push(raw)
  }

  separate(): void {
    this.#pieces.push(' ')
  }

  /** Anchors do not nest: the next one ends the one before. */
  openAnchor(link: { text: string }): void {
    this.closeAnchor()
    this.#anchor = link
    this.#anchorStart = this.#pieces.length
  }

  closeAnchor(): void {
    if (this.#anchor === null) return
    this.#anchor.text = collapseSpaces(this.#pieces.slice(this.#anchorStart).join(''))
    this.#anchor = null
  }

  finish(): string {
    this.closeAnchor()
    return collapseSpaces(this.#pieces.join(''))
  }
}
