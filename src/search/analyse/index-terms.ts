// Turns a word into its index term: its stem in the language of the text, without accents.

import { foldAccents } from './character-classes.ts'
import { STEMMERS } from './stemmers.ts'

const MIN_STEMMED = 3
/** Numbers, C++, C# and .NET. */
const HAS_SIGN = /[\d\uff0b\uff03\uff0e]/

export function toIndexTerm(word: string, lang: string | null): string {
  const stem = lang === null ? undefined : STEMMERS[lang]
  if (stem === undefined || word.length < MIN_STEMMED || HAS_SIGN.test(word)) return foldOrKeep(word)
  return foldAccents(stripNonTermCharacters(stem(word))) || foldOrKeep(word)
}

/** Words remembered per language. */
const MAX_KNOWN = 10_000
const knownTerms = new Map<string | null, Map<string, string>>()

/** A cached lookup for searches, which see the same words in queries and texts again and again. */
export function lookUpIndexTerm(word: string, lang: string | null): string {
  let terms = knownTerms.get(lang)
  if (terms === undefined || terms.size >= MAX_KNOWN) {
    terms = new Map()
    knownTerms.set(lang, terms)
  }
  let term = terms.get(word)
  if (term === undefined) {
    term = toIndexTerm(word, lang)
    terms.set(word, term)
  }
  return term
}

/** Keeps a word that consists of accents only. */
function foldOrKeep(word: string): string {
  return foldAccents(word) || word
}

/** Removes characters that no term may contain, such as an apostrophe or the capitals some stemmers leave behind. */
function stripNonTermCharacters(stem: string): string {
  return stem.toLowerCase().replace(/[\0-/:-`{-\x7f]/g, '')
}

/** Index terms by word number, each followed by a space, so that a word is stemmed once. */
export interface TermCache {
  lang: string | null
  terms: string[]
}

export class TermCaches {
  readonly #byLang = new Map<string | null, TermCache>()

  forLanguage(lang: string | null): TermCache {
    const key = lang !== null && lang in STEMMERS ? lang : null
    let list = this.#byLang.get(key)
    if (list === undefined) {
      list = { lang: key, terms: [] }
      this.#byLang.set(key, list)
    }
    return list
  }

  clear(): void {
    this.#byLang.clear()
  }
}
