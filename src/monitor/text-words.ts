// Splits texts into words, as hashes with their places. Case and punctuation make no difference. In scripts without
// spaces each character is a word.

import { CHARACTER_CLASSES, DIGIT, IDEOGRAPH, IGNORED, LAST_MARK } from '../engine/text/character-classes.ts'

/** Maximum of words per text; the rest is not examined. Most books are shorter. */
export const MAX_TEXT_WORDS = 200_000

export interface TextWords {
  text: string
  count: number
  hashes: Int32Array
  /** Offsets in the text. */
  starts: Int32Array
  ends: Int32Array
}

const PRIME = 0x01000193
const NO_WORD = 0x811c9dc5 | 0
const FIRST_LENGTH = 1 << 16

// The compiler inlines module constants in a loop, but looks up imported ones in every iteration.
const classes = CHARACTER_CLASSES
const lastMark = LAST_MARK

export class WordSplitter {
  #codes = new Uint16Array(FIRST_LENGTH)
  #hashes = new Int32Array(FIRST_LENGTH)
  #starts = new Int32Array(FIRST_LENGTH)
  #ends = new Int32Array(FIRST_LENGTH)

  /** The result is valid until the next call. */
  split(text: string): TextWords {
    this.#grow(text.length)
    Buffer.from(this.#codes.buffer).write(text, 0, 'utf16le')
    const count = this.#split(text.length)
    return { text, count, hashes: this.#hashes, starts: this.#starts, ends: this.#ends }
  }

  #grow(length: number): void {
    if (length > this.#codes.length) this.#codes = new Uint16Array(length)
    // A character ends at most one word, or is one.
    const words = Math.min(length + 1, MAX_TEXT_WORDS)
    if (words <= this.#hashes.length) return
    this.#hashes = new Int32Array(words)
    this.#starts = new Int32Array(words)
    this.#ends = new Int32Array(words)
  }

  #split(length: number): number {
    const [codes, hashes, starts, ends] = [this.#codes, this.#hashes, this.#starts, this.#ends]
    let count = 0
    for (let pos = 0; pos < length && count < MAX_TEXT_WORDS; pos++) {
      if (!isInWord(codes[pos] ?? 0)) continue
      const start = pos
      let hash = NO_WORD
      for (; pos < length; pos++) {
        const code = codes[pos] ?? 0
        const letter = classes[code] ?? 0
        // All digits have one class.
        if (letter > lastMark) hash = Math.imul(hash ^ letter, PRIME)
        else if (letter === DIGIT) hash = Math.imul(hash ^ code, PRIME)
        else if (letter === IDEOGRAPH && pos === start) hash = Math.imul(hash ^ code, PRIME)
        else if (letter !== IGNORED) break
        if (letter === IDEOGRAPH) {
          pos += 1
          break
        }
      }
      hashes[count] = hash
      starts[count] = start
      ends[count] = pos
      count += 1
      // The character that ends a word may be a word itself.
      pos -= 1
    }
    return count
  }
}

function isInWord(code: number): boolean {
  const letter = classes[code] ?? 0
  return letter > lastMark || letter === DIGIT || letter === IDEOGRAPH
}

/** The words of one text, in newly allocated arrays. */
export function splitWords(text: string): TextWords {
  return new WordSplitter().split(text)
}
