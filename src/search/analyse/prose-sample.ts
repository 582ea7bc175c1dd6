// A sample of a text by which its language is identified: words of the script that most of its letters have, without
// what is the same in every language (names of files and variables, URLs, numbers).

const SAMPLE = 300
/** Windows in the middle of the text, from which words are taken until the sample is long enough. */
const WINDOWS = [600, 6000]
/** Letters that are examined for the script of most of them. */
const EXAMINED = 2000
/** Letters of other scripts than Latin. */
const OTHER_LETTER = /[\u0370-\u1dff\u1f00-\u1fff\u2e80-\uffff]/
const [FIRST_OTHER, FIRST_IDEOGRAPH] = [0x370, 0x2e80]
/** Latin letters that say as much as an ideograph. */
const IDEOGRAPH_WEIGHT = 3
const IS_ASCII = /^[!-~]+$/
/** Only in ASCII words, because other scripts need no spaces between a number and a word. */
const IS_NO_WORD = /[\d_/\\=@#<>{}$*+&|~^%]|\w[.:,()[\]]+\w|[a-z][A-Z]/

/** Taken from the middle, because a page starts with its navigation. */
export function sampleProse(text: string): string {
  const isOther = isMostlyOther(text)
  const isWanted = (word: string) =>
    OTHER_LETTER.test(word) ? isOther : !isOther && !(IS_ASCII.test(word) && IS_NO_WORD.test(word))
  let sample = ''
  for (const window of WINDOWS) {
    const start = Math.max(0, (text.length - window) >> 1)
    const words = text.slice(start, start + window).split(/\s+/)
    sample = words.filter(isWanted).join(' ').slice(0, SAMPLE)
    if (sample.length >= SAMPLE / 2 || text.length <= window) break
  }
  return sample
}

/** Whether most letters of the text are not Latin ones. */
function isMostlyOther(text: string): boolean {
  const step = Math.max(1, Math.floor(text.length / EXAMINED))
  let [latin, other] = [0, 0]
  for (let i = 0; i < text.length; i += step) {
    const code = text.charCodeAt(i)
    if (isLatinLetter(code)) latin += 1
    else if (code >= FIRST_IDEOGRAPH) other += IDEOGRAPH_WEIGHT
    else if (code >= FIRST_OTHER && !isSign(code)) other += 1
  }
  return other > latin
}

function isLatinLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
  return (code >= 0xc0 && code < FIRST_OTHER) || (code >= 0x1e00 && code < 0x1f00)
}

/** General punctuation, arrows, symbols and the lines of tables. */
function isSign(code: number): boolean {
  return code >= 0x2000 && code < FIRST_IDEOGRAPH
}
