// Patterns for `like`. Databases fold the case of a to z alone; for other letters the usual spellings are tried.

import type { SqlDialect, SqlParameters } from './browse-db.ts'

/** Folds a to z to lower case and escapes wildcards. */
function likePattern(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\\%_]/g, '\\$&')
}

function spellings(text: string): string[] {
  const lower = text.toLowerCase()
  const capital = lower.replace(/^./u, (letter) => letter.toUpperCase())
  return [...new Set([text, lower, text.toUpperCase(), capital].map(likePattern))]
}

/** SQL condition: one of these columns contains the text. */
export function hasText(columns: string[], text: string, sqlDialect: SqlDialect, sqlParameters: SqlParameters): string {
  const patterns = spellings(text).map((spelling) => sqlParameters.add(`%${spelling}%`))
  const tests = columns.flatMap((column) => patterns.map((pattern) => sqlDialect.isLike(column, pattern)))
  return `(${tests.join(' or ')})`
}

export function beginsWith(column: string, text: string, sqlDialect: SqlDialect, sqlParameters: SqlParameters): string {
  return sqlDialect.isLike(column, sqlParameters.add(`${likePattern(text)}%`))
}
