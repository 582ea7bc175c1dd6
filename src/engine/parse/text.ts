import { decodeHTML } from 'entities'
import { collapseSpaces } from './characters.ts'

/** Stands between blocks. No text holds it: the tree builder drops NULs, or puts another character in their place. */
const BREAK = '\0'

/** The visible text of a page, a line for each block, and the text of the anchor that is open, if any. */
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
    this.#pieces.push(raw.replaceAll('\0', '\uFFFD'))
  }

  /** Ends a block. */
  separate(): void {
    if (this.#pieces.at(-1) !== BREAK) this.#pieces.push(BREAK)
  }

  /** Anchors do not nest: the next one ends the one before. */
  openAnchor(link: { text: string }): void {
    this.closeAnchor()
    this.#anchor = link
    this.#anchorStart = this.#pieces.length
  }

  closeAnchor(): void {
    if (this.#anchor === null) return
    this.#anchor.text = collapseSpaces(this.#pieces.slice(this.#anchorStart).join('').replaceAll(BREAK, ' '))
    this.#anchor = null
  }

  finish(): string {
    this.closeAnchor()
    const lines: string[] = []
    for (const block of this.#pieces.join('').split(BREAK)) {
      const line = collapseSpaces(block)
      if (line !== '') lines.push(line)
    }
    return lines.join('\n')
  }
}
