import { lookUpIndexTerm } from '../analyse/index-terms.ts'
import { candidateLanguages } from './languages-by-script.ts'

/** Words whose stems are remembered, per list of languages. */
const MAX_KNOWN = 10_000
/** A query stems each of its words several times, with the same list of languages as the queries before it. */
const known = new WeakMap<readonly string[], Map<string, readonly string[]>>()

/** The language of the matching pages is unknown, so a word is stemmed in every language of the index with its script. */
export function stemInLanguages(word: string, languages: readonly string[]): readonly string[] {
  const stems = knownStems(languages)
  const before = stems.get(word)
  if (before !== undefined) return before
  const terms = [...new Set(candidateLanguages(word, languages).map((lang) => lookUpIndexTerm(word, lang)))]
  if (stems.size >= MAX_KNOWN) stems.clear()
  stems.set(word, terms)
  return terms
}

function knownStems(languages: readonly string[]): Map<string, readonly string[]> {
  const stems = known.get(languages) ?? new Map<string, readonly string[]>()
  known.set(languages, stems)
  return stems
}
