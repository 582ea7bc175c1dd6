import { MAX_FIELD_LENGTH } from '../sitemap/sitemap-entry.ts'
import { decodeXmlReferences } from './xml-references.ts'

/**
 * The text of one field, collected in chunks: character data, whose references are decoded, and CDATA, which is
 * literal.
 */
export class TextBuffer {
  #value = ''
  // Kept separate until it is complete, since a chunk boundary may split a reference.
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

  /** Removes the end delimiter of a CDATA section, which may have arrived in chunks. */
  dropEnd(length: number): void {
    this.#value = this.#value.slice(0, -length)
  }

  /** The trimmed text, or null if it is too long. */
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
