// Stop words of a query. Its language is unknown: the most common language of the index is assumed, unless the query
// has clearly more stop words of another.

import { splitWords } from '../analyse/split-words.ts'
import { stopWordsFor } from '../analyse/stop-words.ts'
import type { SyntaxNode } from './query-parser.ts'

/** A lead of one stop word may be by chance: "die" is also an English word. */
const MIN_MORE = 2
/** Of those with stop words: not Chinese, for example. */
const MAX_LANGUAGES = 5

export function findStopWords(raw: SyntaxNode, languages: readonly string[]): ReadonlySet<string> {
  return stopWordsFor(queryLanguage(raw, languages) ?? languages[0] ?? null)
}

/** Null unless the query is clearly not in the most common language of the index. */
export function queryLanguage(raw: SyntaxNode, languages: readonly string[]): string | null {
  const [first, ...others] = languages
  if (first === undefined) return null
  const words = wordsIn(raw)
  const count = (lang: string) => words.filter((word) => stopWordsFor(lang).has(word)).length
  let best: { lang: string | null; count: number } = { lang: null, count: count(first) + MIN_MORE - 1 }
  for (const lang of others.filter((other) => stopWordsFor(other).size > 0).slice(0, MAX_LANGUAGES)) {
    const found = count(lang)
    if (found > best.count) best = { lang, count: found }
  }
  return best.lang
}

/** Abbreviations such as "e.g." are compared without their dots, "est-ce" without its hyphen. */
export function isStopWord(text: string, stops: ReadonlySet<string>): boolean {
  return stops.has(splitWords(text).join(''))
}

function wordsIn(raw: SyntaxNode): string[] {
  if (raw.kind === 'and' || raw.kind === 'or') return raw.parts.flatMap(wordsIn)
  return raw.kind === 'word' ? splitWords(raw.text) : []
}
