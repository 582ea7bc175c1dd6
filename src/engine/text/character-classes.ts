// Classifies UTF-16 code units for word splitting. Ranges instead of \p{L}: testing every code unit with a pattern
// takes a thread about 20 ms at its start, these take 3 (2026-11). A wrong class for a rare character is the same on
// every page.

import { AMPERSAND, LESS } from '../parse/characters.ts'

/** Ends a word. */
export const BREAK = 0
/** Neither ends a word nor is part of it: apostrophes, and invisible characters. */
export const IGNORED = 1
export const DIGIT = 2
/** Ends a word, and does not belong in text: control characters, and U+FFFD, which replaces invalid input. */
export const ODD = 3
/** A character that is a word by itself, in scripts without spaces. */
export const IDEOGRAPH = 4
export const LAST_MARK = IDEOGRAPH

/** Everything else is a letter. Each range has a first and a last code unit; later ranges override earlier ones. */
const RANGES: readonly (readonly [mark: number, ...ends: number[]])[] = [
  // ASCII and Latin-1 symbols; Arabic, Devanagari and Ethiopic stops; punctuation and symbols; icons of fonts.
  [BREAK, 0, 0x40, 0x5b, 0x60, 0x7b, 0xa9, 0xab, 0xb4, 0xb6, 0xb9, 0xbb, 0xbf, 0xd7, 0xd7, 0xf7, 0xf7],
  [BREAK, 0x60c, 0x60c, 0x61b, 0x61f, 0x66a, 0x66c, 0x6d4, 0x6d4, 0x964, 0x965, 0x1361, 0x1368],
  [BREAK, 0x2000, 0x2bff, 0x2e00, 0x2e7f, 0x3000, 0x303f, 0xe000, 0xf8ff, 0xfe10, 0xfe6f, 0xff00, 0xff20],
  [BREAK, 0x30fb, 0x30fb, 0xff3b, 0xff40, 0xff5b, 0xff65, 0xffe0, 0xffff],
  [IDEOGRAPH, 0x2e80, 0x2fff, 0x3005, 0x3007, 0x3040, 0x30fa, 0x30fc, 0x9fff, 0xf900, 0xfaff, 0xff66, 0xff9f],
  [DIGIT, 0x30, 0x39, 0x660, 0x669, 0x6f0, 0x6f9, 0x966, 0x96f, 0xff10, 0xff19],
  [ODD, 1, 8, 0xb, 0xb, 0xe, 0x1f, 0x7f, 0x9f, 0xfffd, 0xfffd],
  [IGNORED, 0, 0, 0x27, 0x27, 0xad, 0xad, 0x2019, 0x2019, 0x200c, 0x200f, 0x2060, 0x2060, 0xfe00, 0xfe0f],
  [IGNORED, 0xfeff, 0xfeff],
]

/** Ranges of letters with case. */
const CASED = [0x41, 0x5a, 0xc0, 0x587, 0x10a0, 0x10ff, 0x1e00, 0x1fff, 0x2c00, 0x2dff, 0xa640, 0xa7ff, 0xff21, 0xff3a]
const SIGMA = 0x3c3
const FINAL_SIGMA = 0x3c2

/** Indexed by code unit: one of the classes above, or the lower-case letter, which is greater than any of them. */
export const CHARACTER_CLASSES: Uint16Array = makeLetters()

/** Ends plain text: `<`, `&`, and everything beyond ASCII, which may be bytes of UTF-8. */
export const NOT_PLAIN = 5

/** Classes for plain text. Letters are greater than NOT_PLAIN. */
export const PLAIN_CLASSES = makePlainClasses()

function makePlainClasses(): Uint8Array {
  const classes = new Uint8Array(65_536).fill(NOT_PLAIN)
  classes.set(CHARACTER_CLASSES.subarray(0, 0x80))
  classes[LESS] = NOT_PLAIN
  classes[AMPERSAND] = NOT_PLAIN
  return classes
}

function makeLetters(): Uint16Array {
  const letters = new Uint16Array(65_536).map((_, code) => code)
  for (const [from, to] of pairs(CASED)) {
    for (let code = from; code <= to; code++) letters[code] = lower(code)
  }
  for (const [mark, ...ends] of RANGES) {
    for (const [from, to] of pairs(ends)) letters.fill(mark, from, to + 1)
  }
  return letters
}

function lower(code: number): number {
  const text = String.fromCharCode(code).toLowerCase()
  // The dotted capital I, two characters in lower case, loses its dot.
  const letter = text.charCodeAt(0)
  return letter === FINAL_SIGMA ? SIGMA : letter
}

function pairs(ends: readonly number[]): [number, number][] {
  return ends.flatMap((from, i): [number, number][] => (i % 2 === 0 ? [[from, ends[i + 1] ?? from]] : []))
}
