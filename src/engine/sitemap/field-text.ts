import { MAX_FIELD_LENGTH } from './entry.ts'
import { decodeReferences } from './references.ts'

/** The text of one field, gathered in pieces: character data, whose references are undone, and CDATA, as it stands. */
export class FieldText {
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
    this.#measure()
  }

  addVerbatim(piece: string): void {
    if (this.#isTooLong) return
    this.#settle()
    this.#value += piece
    this.#measure()
  }

  /** Takes back the end mark of a CDATA section, which may have come in pieces. */
  dropLast(length: number): void {
    this.#value = this.#value.slice(0, -length)
  }

  /** Without the blanks around it, or null if there was too much of it. */
  read(): string | null {
    if (this.#isTooLong) return null
    this.#settle()
    return this.#value.trim()
  }

  #settle(): void {
    this.#value += decodeReferences(this.#raw)
    this.#raw = ''
  }

  #measure(): void {
    if (this.#value.length + this.#raw.length > MAX_FIELD_LENGTH) this.#isTooLong = true
  }
}
