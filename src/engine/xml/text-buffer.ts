import { MAX_FIELD_LENGTH } from '../sitemap/sitemap-entry.ts'
import { decodeXmlReferences } from './xml-references.ts'

/** The text of one field, gathered in pieces: character data, whose references are undone, and CDATA, as it stands. */
export class TextBuffer {
  #value = ''
  // Kept apart until it is whole, since a cut may go through a reference.
  #raw = ''
  #isTooLong = false

  clear(): void {
    this.#value = ''
    this.#raw = ''
    this.#isTooLong = false
  }

  add(piece: string): void {
    if (this.#isTooLong) return
    this.#raw += this.#value === '' && this.#raw === '' ? piece.trimStart() : piece
    this.#checkLength()
  }

  addVerbatim(piece: string): void {
    if (this.#isTooLong) return
    this.#decodePending()
    this.#value += piece
    this.#checkLength()
  }

  /** Takes back the end mark of a CDATA section, which may have come in pieces. */
  dropEnd(length: number): void {
    this.#value = this.#value.slice(0, -length)
  }

  /** Without the blanks around it, or null if there was too much of it. */
  read(): string | null {
    if (this.#isTooLong) return null
    this.#decodePending()
    return this.#value.trim()
  }

  #decodePending(): void {
    this.#value += decodeXmlReferences(this.#raw)
    this.#raw = ''
  }

  #checkLength(): void {
    if (this.#value.length + this.#raw.length > MAX_FIELD_LENGTH) this.#isTooLong = true
  }
}
