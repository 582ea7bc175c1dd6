// Words that look like a field and are none, such as titel:apple.

import { closestWord } from '../../lib/closest-word.ts'
import type { Token } from './lexer.ts'

/** One letter is a drive; `//` comes after the scheme of a url, a second colon in std::map. */
const LIKE_A_FIELD = /^([a-z][a-z-]{1,29}):(?!\/\/|:)(.*[\p{L}\p{N}].*)$/isu
/** As in localhost:8080/docs. */
const PORT = /^\d{1,5}(?:\/|$)/

/** A sentence for each name. */
export function findUnknownFields(tokens: readonly Token[], fields: readonly string[]): string[] {
  const notes = tokens.flatMap((token) => (token.kind === 'word' ? noteOf(token.text, fields) : []))
  return [...new Set(notes)]
}

function noteOf(word: string, fields: readonly string[]): string[] {
  const [, typed, value = ''] = LIKE_A_FIELD.exec(word) ?? []
  if (typed === undefined) return []
  const name = typed.toLowerCase()
  const meant = closestWord(name, fields)
  if (meant === null && PORT.test(value)) return []
  const hint = meant === null ? '' : ` (did you mean ${meant}:?)`
  return [`there is no field ${name}:, it was read as words${hint}`]
}
