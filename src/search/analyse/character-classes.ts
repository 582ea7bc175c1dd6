// Character classes for indexing, by UTF-16 code unit. They equal the classes of text profiling
// (engine/text/character-classes.ts) with four differences: digits are letters, because people search for numbers;
// Hangul is indexed in pairs, like ideographs; alphabetic scripts without spaces are left to a dictionary;
// compatibility characters (full-width letters, ligatures, superscripts) count in their NFKC form.

import { BREAK, CHARACTER_CLASSES, DIGIT, IDEOGRAPH, LAST_MARK, ODD } from '../../engine/text/character-classes.ts'

export { BREAK, IDEOGRAPH, IGNORED, LAST_MARK } from '../../engine/text/character-classes.ts'

/** Reuses the value of DIGIT, which does not occur here: digits are letters. */
export const UNSPACED = DIGIT
/**
 * Part of a word whose letter has to be composed: it expands to several letters, combines with the previous letter, or
 * is half of a surrogate pair. Reuses the value of ODD, which is a break here.
 */
export const COMPOSED = ODD

const SURROGATES = [0xd800, 0xdfff] as const
const COMBINING = [0x300, 0x36f] as const
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
/**
 * Characters with a compatibility form of letters and digits. Trade marks, fractions and circled numbers are left out:
 * they would become part of the word before them. Ideographs and kana are normalised in runs.
 */
const COMPATIBLE = [
  [0xaa, 0xaa],
  [0xb2, 0xb3],
  [0xb9, 0xba],
  [0x132, 0x133],
  [0x13f, 0x140],
  [0x149, 0x149],
  [0x17f, 0x17f],
  [0x1c4, 0x1cc],
  [0x1f1, 0x1f3],
  [0x2b0, 0x2b8],
  [0x1d2c, 0x1d6a],
  [0x2070, 0x209c],
  [0x2100, 0x211f],
  [0x2124, 0x214f],
  [0x2160, 0x217f],
  [0x3200, 0x33ff],
  [0xfb00, 0xfdff],
  [0xfe70, 0xfefc],
  [0xff21, 0xff3a],
  [0xff41, 0xff5a],
] as const

/** Indexed by code unit: a class, or the lower-case letter, which is greater than any class. */
export const INDEX_CHARACTER_CLASSES: Uint16Array = makeClasses()

function makeClasses(): Uint16Array {
  const signs = CHARACTER_CLASSES.map((sign) => (sign === ODD ? BREAK : sign))
  for (const zero of ZEROS) for (let digit = 0; digit < 10; digit++) signs[zero + digit] = ASCII_ZERO + digit
  for (const [from, to] of HANGUL) signs.fill(IDEOGRAPH, from, to + 1)
  for (const [from, to] of WITHOUT_SPACES) signs.fill(UNSPACED, from, to + 1)
  signs.fill(COMPOSED, COMBINING[0], COMBINING[1] + 1)
  for (const [from, to] of COMPATIBLE) {
    for (let code = from; code <= to; code++) signs[code] = compatibleClass(code, signs)
  }
  signs.fill(COMPOSED, SURROGATES[0], SURROGATES[1] + 1)
  return signs
}

function compatibleClass(code: number, signs: Uint16Array): number {
  const text = String.fromCharCode(code)
  const form = text.normalize('NFKC')
  if (form === text) return signs[code] ?? BREAK
  const sign = signs[form.charCodeAt(0)] ?? BREAK
  return form.length === 1 && sign > LAST_MARK ? sign : COMPOSED
}

/**
 * Indexed by code unit: the letter without its accent, or itself. Covers Latin and Greek; the breve of й is not an
 * accent.
 */
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
