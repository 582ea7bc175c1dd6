// Splits a line into words and punctuation, each with its place.

export interface Token {
  text: string
  start: number
  end: number
  isWord: boolean
}

/** Each ideograph or kana is a word, since no spaces separate them. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*|[^\s\p{L}\p{M}\p{N}]/gu
const IS_WORD = /[\p{L}\p{N}]/u

export function splitTokens(line: string): Token[] {
  return Array.from(line.matchAll(TOKEN), ({ 0: text, index }) => {
    return { text, start: index, end: index + text.length, isWord: IS_WORD.test(text) }
  })
}

export function countWords(line: string): number {
  let words = 0
  for (const [text] of line.matchAll(TOKEN)) if (IS_WORD.test(text)) words += 1
  return words
}
