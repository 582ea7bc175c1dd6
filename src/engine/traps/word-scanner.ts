// Splits text into hashed words without creating strings. A word with a digit counts as a number: a date, a price, an
// id.

const OTHER = 0
export const LETTER = 1
export const DIGIT = 2
/** In scripts without spaces each character is a word. */
export const IDEOGRAPH = 3

const KINDS = new Uint8Array(128)
for (let code = 48; code < 58; code++) KINDS[code] = DIGIT
for (let code = 97; code < 123; code++) KINDS[code] = KINDS[code - 32] = LETTER

export class WordScanner {
  readonly #text: string
  readonly #end: number
  #pos: number
  /** Hash of the current word. */
  hash = 0
  isNumber = false

  constructor(text: string, start = 0, end = text.length) {
    this.#text = text
    this.#pos = start
    this.#end = end
  }

  next(): boolean {
    const [text, end] = [this.#text, this.#end]
    let pos = this.#pos
    let kind = OTHER
    for (; pos < end; pos++) {
      const code = text.charCodeAt(pos)
      kind = charKind(code)
      if (kind !== OTHER) break
    }
    if (pos >= end) {
      this.#pos = end
      return false
    }
    let hash = 0x811c9dc5
    this.isNumber = false
    if (kind === IDEOGRAPH) hash = Math.imul(hash ^ text.charCodeAt(pos++), 0x01000193)
    else {
      for (; pos < end; pos++) {
        const code = text.charCodeAt(pos)
        kind = charKind(code)
        if (kind === OTHER || kind === IDEOGRAPH) break
        if (kind === DIGIT) this.isNumber = true
        hash = Math.imul(hash ^ (code < 128 ? code | 32 : code), 0x01000193)
      }
    }
    this.#pos = pos
    this.hash = hash
    return true
  }
}

export function charKind(code: number): number {
  if (code < 128) return KINDS[code] as number
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2c00) || (code >= 0x3000 && code < 0x3040)) return OTHER
  return code >= 0x3040 && code < 0xa000 ? IDEOGRAPH : LETTER
}
