// Splits short texts into words: titles, descriptions, anchor texts, URLs, queries.

import { copyCodes } from '../../engine/parse/utf16-codes.ts'
import { Tokeniser } from './tokeniser.ts'
import { WordTable } from './word-table.ts'

/** Matches most words of a query, with sentence punctuation after them. */
const PLAIN_WORD = /^[a-z0-9]{1,40}(?=[.,;:!?]?$)/i

/** Splits the start of the text, up to `maxWords` words. Ideographs become overlapping pairs. */
export function splitWords(text: string, maxWords = 4096): string[] {
  const plain = plainWordOf(text)
  if (plain !== null) return [plain.toLowerCase()]
  const table = new WordTable(Math.max(16, Math.min(maxWords, text.length + 1)))
  const tokens = new Tokeniser(table, { marksWords: false })
  tokens.add(copyCodes(text), 0, text.length)
  tokens.flush()
  return Array.from(tokens.ids.subarray(0, tokens.count), (id) => table.wordOf(id))
}

/** The word as it is written; null if the text may be something else than one word of ASCII letters and digits. */
export function plainWordOf(text: string): string | null {
  return PLAIN_WORD.exec(text)?.[0] ?? null
}

const MAX_URL_WORDS_FROM = 300
const WWW_PREFIX = /^www\d?\./

/** Host and path as text. */
export function urlToText(url: string): string {
  const { hostname, pathname } = new URL(url)
  return `${hostname.replace(WWW_PREFIX, '')} ${decoded(pathname)}`.slice(0, MAX_URL_WORDS_FROM)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Bytes that are not UTF-8 are not words either.
    return path.replaceAll(/%[0-9a-f]{2}/gi, ' ')
  }
}
