import { DOUBLE_QUOTE, GREATER, SINGLE_QUOTE } from '../parse/characters.ts'

const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93

// The low bytes of the last characters, by which delimiters are recognised across chunk boundaries.
const COMMENT_OPEN = 0x3c212d2d
const COMMENT_CLOSE = 0x2d2d3e
const INSTRUCTION_OPEN = 0x3c3f
const INSTRUCTION_CLOSE = 0x3f3e

type DoctypeState = 'outside' | 'subset' | 'comment' | 'instruction'

/** Skips a document type with all its declarations. Nothing of it is kept, expanded or loaded. */
export class DoctypeSkipper {
  #part: DoctypeState = 'outside'
  #quote = 0
  #window = 0

  begin(): void {
    this.#part = 'outside'
    this.#quote = 0
    this.#window = 0
  }

  /** The position after its `>`, or -1 if the chunk ends before. */
  skip(text: string, pos: number): number {
    for (; pos < text.length; pos++) {
      const code = text.charCodeAt(pos)
      this.#window = (this.#window << 8) | (code > 0xff ? 0xff : code)
      if (this.#quote !== 0) {
        if (code === this.#quote) this.#quote = 0
      } else if (this.#part === 'comment') {
        if ((this.#window & 0xffffff) === COMMENT_CLOSE) this.#part = 'subset'
      } else if (this.#part === 'instruction') {
        if ((this.#window & 0xffff) === INSTRUCTION_CLOSE) this.#part = 'subset'
      } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
        this.#quote = code
      } else if (this.#part === 'subset') {
        this.#readSubset(code)
      } else if (code === OPEN_BRACKET) {
        this.#part = 'subset'
      } else if (code === GREATER) {
        return pos + 1
      }
    }
    return -1
  }

  #readSubset(code: number): void {
    if (code === CLOSE_BRACKET) this.#part = 'outside'
    else if (this.#window === COMMENT_OPEN) {
      this.#part = 'comment'
      // The dashes that open a comment do not close it.
      this.#window = 0
    } else if ((this.#window & 0xffff) === INSTRUCTION_OPEN) {
      this.#part = 'instruction'
      this.#window = 0
    }
  }
}
