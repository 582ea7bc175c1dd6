// Samples a text to identify its language: words in the script of most of its letters, without words that are the same
// in every language (names of files and variables, URLs, numbers).

const SAMPLE = 300
/** Positions of samples: not at the start, which is navigation; several, since one may be a quotation. */
const PLACES = [1 / 4, 1 / 2, 3 / 4]
/** Characters around each place: more if these have too few words. */
const WINDOWS = [250, 2500]
/** Characters that are examined for the script of most letters. */
const EXAMINED = 2000
/** Letters of other scripts than Latin. */
const OTHER_LETTER = /[\u0370-\u1dff\u1f00-\u1fff\u2e80-\uffff]/
/**
 * A letter of these kinds counts as several Latin ones: names and code are Latin in any language, and ideographs are
 * words.
 */
const [OTHER_WEIGHT, IDEOGRAPH_WEIGHT] = [2, 3]
const FIRST_IDEOGRAPH = 0x2e80
const IS_ASCII = /^[!-~]+$/
/** Applied to ASCII words only, because other scripts need no spaces between a number and a word. */
const IS_NO_WORD = /[\d_/\\=@#<>{}$*+&|~^%]|\w[.:,()[\]]+\w|[a-z][A-Z]/

export function sampleProse(text: string): string {
  const isOther = isMostlyNonLatin(text)
  const isWanted = (word: string) =>
    OTHER_LETTER.test(word) ? isOther : !isOther && !(IS_ASCII.test(word) && IS_NO_WORD.test(word))
  for (const window of WINDOWS) {
    if (text.length <= window * PLACES.length) break
    const parts = PLACES.map((place) => {
      const start = Math.floor(text.length * place - window / 2)
      // The first word may be cut.
      const words = text
        .slice(start, start + window)
        .split(/\s+/)
        .slice(1)
      return words
        .filter(isWanted)
        .join(' ')
        .slice(0, SAMPLE / PLACES.length)
    })
    const sample = parts.join(' ')
    if (sample.length >= SAMPLE / 2) return sample
  }
  const words = text.slice(0, 3 * Math.max(...WINDOWS)).split(/\s+/)
  const prose = words.filter(isWanted).join(' ')
  const start = Math.max(0, (prose.length - SAMPLE) >> 1)
  return prose.slice(start, start + SAMPLE)
}

export function isMostlyNonLatin(text: string): boolean {
  const step = Math.max(1, Math.floor(text.length / EXAMINED))
  let [latin, other] = [0, 0]
  for (let i = 0; i < text.length; i += step) {
    const code = text.charCodeAt(i)
    if (isLatinLetter(code)) latin += 1
    else if (isOtherLetter(code)) other += code < FIRST_IDEOGRAPH ? OTHER_WEIGHT : IDEOGRAPH_WEIGHT
  }
  return other > latin
}

function isLatinLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return (code >= 0xc0 && code < 0x370) || (code >= 0x1e00 && code < 0x1f00)
}

/** The codes between these ranges are punctuation, arrows, symbols and the lines of tables. */
function isOtherLetter(code: number): boolean {
  return (code >= 0x370 && code < 0x2000) || code >= FIRST_IDEOGRAPH
}

/** Letters of a sentence rather than of a link or two. */
const MIN_SENTENCE = 36
const EXAMINED_FOR_SENTENCE = 400
const LETTER = /\p{L}/gu
/** Such a character says as much as three letters. */
const DENSE_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

export function hasSentence(text: string): boolean {
  const start = text.slice(0, EXAMINED_FOR_SENTENCE)
  return (start.match(LETTER)?.length ?? 0) + 2 * (start.match(DENSE_LETTER)?.length ?? 0) >= MIN_SENTENCE
}
