// Finds words that look like a field but are not one, such as titel:apple.

import { closestWord } from '../../lib/closest-word.ts'
import type { Token } from './lexer.ts'

/** A single letter is a drive, `//` follows the scheme of a URL, and a second colon appears in std::map. */
const LIKE_A_FIELD = /^([a-z][a-z-]{1,29}):(?!\/\/|:)(.*[\p{L}\p{N}].*)$/isu
/** Port of an address, as in localhost:8080/docs. */
const PORT = /^\d{1,5}(?:\/|$)/

/** Returns one warning per unknown name. */
export function findUnknownFields(tokens: readonly Token[], fields: readonly string[]): string[] {
  const warnings = tokens.flatMap((token) => (token.kind === 'word' ? warningFor(token.text, fields) : []))
  return [...new Set(warnings)]
}

function warningFor(word: string, fields: readonly string[]): string[] {
  const [, typed, value = ''] = LIKE_A_FIELD.exec(word) ?? []
  if (typed === undefined) return []
  const name = typed.toLowerCase()
  const meant = closestWord(name, fields)
  if (meant === null && PORT.test(value)) return []
  const hint = meant === null ? '' : ` (did you mean ${meant}:?)`
  return [`unknown field ${name}:, searched as words${hint}`]
}
