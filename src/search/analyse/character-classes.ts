// Character classes for indexing, by UTF-16 code unit. They are those of text profiling
// (engine/text/character-classes.ts) with three differences: digits are letters, because people search for numbers;
// Hangul is indexed in pairs, like ideographs; alphabetic scripts without spaces are left to a dictionary.

import { BREAK, CHARACTER_CLASSES, DIGIT, IDEOGRAPH } from '../../engine/text/character-classes.ts'

export { BREAK, IDEOGRAPH, IGNORED, LAST_MARK, ODD } from '../../engine/text/character-classes.ts'

/** Reuses the value of DIGIT, which does not occur here: digits are letters. */
export const UNSPACED = DIGIT

const SURROGATES = [0xd800, 0xdfff] as const
const HANGUL = [
  [0x1100, 0x11ff],
  [0x3130, 0x318f],
  [0xac00, 0xd7a3],
] as const
/** Thai and Lao, Myanmar, Khmer. */
const WITHOUT_SPACES = [
  [0x0e00, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
] as const
/** The zeros of decimal digits. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0xff10]
const ASCII_ZERO = 0x30

/** By code unit: a class, or the lower-case letter, which is greater than any class. */
export const INDEX_CHARACTER_CLASSES: Uint16Array = makeClasses()

function makeClasses(): Uint16Array {
  const signs = CHARACTER_CLASSES.slice()
  for (const zero of ZEROS) for (let digit = 0; digit < 10; digit++) signs[zero + digit] = ASCII_ZERO + digit
  for (const [from, to] of HANGUL) signs.fill(IDEOGRAPH, from, to + 1)
  for (const [from, to] of WITHOUT_SPACES) signs.fill(UNSPACED, from, to + 1)
  signs.fill(BREAK, SURROGATES[0], SURROGATES[1] + 1)
  return signs
}

/** By code unit: the letter without its accent, or itself. Covers Latin and Greek; the breve of й is not an accent. */
const PLAIN: Uint16Array = makePlain()

function makePlain(): Uint16Array {
  const plain = new Uint16Array(0x2000).map((_, code) => code)
  const ranges = [
    [0xc0, 0x24f],
    [0x370, 0x3ff],
    [0x1e00, 0x1fff],
  ]
  for (const [from = 0, to = 0] of ranges) {
    for (let code = from; code <= to; code++) {
      const [base = ''] = String.fromCharCode(code).normalize('NFD')
      // Some stand-alone Greek accents decompose to ASCII characters.
      if (/[a-z\u0080-\uffff]/i.test(base)) plain[code] = base.charCodeAt(0)
    }
  }
  plain[0x451] = 0x435
  return plain
}

/** Removes accents and combining marks, and spells out ligatures. */
export function foldAccents(word: string): string {
  let isPlain = true
  for (let i = 0; i < word.length && isPlain; i++) isPlain = word.charCodeAt(i) < 0x80
  if (isPlain) return word
  let out = ''
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    if (code >= 0x300 && code <= 0x36f) continue
    out += EXPANDED_LETTERS[code] ?? String.fromCharCode(code < 0x2000 ? (PLAIN[code] ?? code) : code)
  }
  return out
}

const EXPANDED_LETTERS: Record<number, string> = {
  [0xdf]: 'ss',
  [0xe6]: 'ae',
  [0xf8]: 'o',
  [0x153]: 'oe',
  [0x142]: 'l',
  [0x111]: 'd',
  [0x131]: 'i',
}
