// Splits a word as typed, which has no spaces, into units that are searched one by one. Scripts without spaces become
// words by the same dictionary as pages.

import { plainWordOf, splitWords } from '../analyse/split-words.ts'
import { isFunctionWord, segmentWords } from '../analyse/word-segmenter.ts'

export type QueryUnit =
  /**
   * One word, or several that belong together, such as time-sharing, node.js or 10:30. `isOneWord`: written as one,
   * such as getElementById.
   */
  | { kind: 'words'; words: string[]; isOneWord: boolean }
  /** Ideographs or kana; `isWord` if the dictionary has them. */
  | { kind: 'ideographs'; text: string; isWord: boolean }

const NAME_SIGN = /^[\uff0b\uff03]/
const NAME_DOT = '\uff0e'
const IDEOGRAPHS = '\\p{Ideographic}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3005-\\u3007\\u30fc'
/** Thai and Lao, Myanmar, Khmer. */
const UNSPACED = '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff'
const RUNS = new RegExp(
  `(?<ideographs>[${IDEOGRAPHS}]+)|(?<unspaced>[${UNSPACED}]+)|[^${IDEOGRAPHS}${UNSPACED}]+`,
  'gu',
)

export function splitUnits(text: string): QueryUnit[] {
  const plain = plainWordOf(text)
  if (plain !== null) return [{ kind: 'words', words: splitCamelCase(plain) ?? [plain.toLowerCase()], isOneWord: true }]
  return [...text.normalize('NFKC').matchAll(RUNS)].flatMap(({ 0: run, groups }): QueryUnit[] => {
    if (groups?.['ideographs'] !== undefined) return splitIdeographs(run)
    const words = dropPartsOfNames(splitWords(run))
    if (groups?.['unspaced'] !== undefined)
      return words.map((word) => ({ kind: 'words', words: [word], isOneWord: true }))
    if (words.length === 1) return [{ kind: 'words', words: splitCamelCase(run) ?? words, isOneWord: true }]
    return words.length === 0 ? [] : [{ kind: 'words', words, isOneWord: false }]
  })
}

/**
 * C++ is indexed as c and as a word for the whole name, .NET as such a word and as net: only that word is searched
 * for. In a longer name such as .eslintrc.json all words are searched for: they follow each other in the index too.
 */
function dropPartsOfNames(words: readonly string[]): string[] {
  return words.filter((word, i) => {
    const [before = '', after = ''] = [words[i - 1], words[i + 1]]
    const isPartOfDotName = words.length === 2 && before === NAME_DOT + word
    return !isPartOfDotName && !NAME_SIGN.test(after.slice(word.length))
  })
}

/** The word of a name with a leading dot, or null. */
export function withoutNameDot(word: string): string | null {
  return word.startsWith(NAME_DOT) ? word.slice(NAME_DOT.length) : null
}

const IS_CAMEL_CASE = /^[A-Za-z]*[a-z][A-Z][A-Za-z]*$/
const CAMEL_CASE_BORDER = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/

/** Does not split iPhone or eBay: a single letter is not a word. */
function splitCamelCase(word: string): string[] | null {
  const parts = IS_CAMEL_CASE.test(word) ? word.split(CAMEL_CASE_BORDER) : []
  return parts.length > 1 && parts.every(({ length }) => length > 1) ? parts.map((part) => part.toLowerCase()) : null
}

/** Function words only separate others, unless there are no others. */
function splitIdeographs(run: string): QueryUnit[] {
  if (isSingle(run)) return [{ kind: 'words', words: [run], isOneWord: true }]
  const units: { kind: 'ideographs'; text: string; isWord: boolean }[] = []
  let isAfterSingle = false
  for (const text of segmentWords(run)) {
    const last = units.at(-1)
    const joins = isAfterSingle && isSingle(text) && !isFunctionWord(text)
    // The dictionary has no names: their ideographs come one by one.
    if (joins && last !== undefined) Object.assign(last, { text: last.text + text, isWord: false })
    else if (!isFunctionWord(text)) units.push({ kind: 'ideographs', text, isWord: true })
    isAfterSingle = isSingle(text) && !isFunctionWord(text)
  }
  return units.length === 0 ? [{ kind: 'ideographs', text: run, isWord: false }] : units
}

function isSingle(text: string): boolean {
  return text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)
}
