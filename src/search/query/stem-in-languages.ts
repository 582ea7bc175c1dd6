import { lookUpIndexTerm } from '../analyse/index-terms.ts'
import { type ForeignStems, foreignKey } from './foreign-stems.ts'
import { candidateLanguages } from './languages-by-script.ts'

/** Maximum of words whose stems are cached, per list of languages. */
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

/** Stems of a word without stems that are words of other languages, unless nothing else is left. */
export function ownStems(word: string, languages: readonly string[], foreign: ForeignStems): readonly string[] {
  const stems = stemInLanguages(word, languages)
  const own = foreign.size === 0 ? stems : stems.filter((stem) => !foreign.has(foreignKey(word, stem)))
  return own.length === 0 ? stems : own
}

/**
 * The words of a phrase as pages of each language contain them. Omits languages in which all stems of the phrase are
 * words of other languages.
 */
export function stemPhrase(words: readonly string[], languages: readonly string[], foreign: ForeignStems): string[][] {
  const versions = new Map<string, string[]>()
  for (const lang of candidateLanguages(words.join(' '), languages)) {
    const stems = words.map((word) => lookUpIndexTerm(word, lang))
    const changed = stems.flatMap((stem, i) => (stem === words[i] ? [] : foreignKey(words[i] ?? '', stem)))
    const isForeign = foreign.size > 0 && changed.length > 0 && changed.every((key) => foreign.has(key))
    if (!isForeign) versions.set(stems.join(' '), stems)
  }
  return versions.size === 0 ? [words.map((word) => lookUpIndexTerm(word, null))] : [...versions.values()]
}

function knownStems(languages: readonly string[]): Map<string, readonly string[]> {
  const stems = known.get(languages) ?? new Map<string, readonly string[]>()
  known.set(languages, stems)
  return stems
}
