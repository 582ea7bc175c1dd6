// The term that a word stands under: its stem in the language of the text, without accents.

import { STEMMERS } from './languages.ts'
import { foldAccents } from './letters.ts'

const MIN_STEMMED = 3
const HAS_DIGIT = /\d/

export function termOf(word: string, lang: string | null): string {
  const stem = lang === null ? undefined : STEMMERS[lang]
  if (stem === undefined || word.length < MIN_STEMMED || HAS_DIGIT.test(word)) return plain(word)
  return foldAccents(onlyTerm(stem(word))) || plain(word)
}

/** An accent that stands alone is all there is of its word. */
function plain(word: string): string {
  return foldAccents(word) || word
}

/** A stemmer may leave a sign that is part of no term, such as an apostrophe or a capital that it works with. */
function onlyTerm(stem: string): string {
  return stem.toLowerCase().replace(/[\0-/:-`{-\x7f]/g, '')
}

/** Terms by numbers of words, each with a space behind it: a word is stemmed once. */
export interface StemList {
  lang: string | null
  terms: string[]
}

export class Stems {
  readonly #byLang = new Map<string | null, StemList>()

  of(lang: string | null): StemList {
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
