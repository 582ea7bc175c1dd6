// Which languages of an index may have a word: those that are written as it is. No stemmer changes a word of another
// script, so everywhere else it is its own stem.

import { STEMMERS } from '../analyse/stemmers.ts'

interface Script {
  letter: RegExp
  /** Those that have a stemmer. */
  languages: readonly string[]
}

/** How many languages of a script a word is stemmed in. */
const MAX_LANGUAGES = 5

const NOT_LATIN: readonly Script[] = [
  { letter: /\p{Script=Arabic}/u, languages: ['ar'] },
  { letter: /\p{Script=Armenian}/u, languages: ['hy'] },
  { letter: /\p{Script=Cyrillic}/u, languages: ['bg', 'ru', 'sr', 'uk'] },
  { letter: /\p{Script=Devanagari}/u, languages: ['hi', 'ne'] },
  { letter: /\p{Script=Greek}/u, languages: ['el'] },
  { letter: /\p{Script=Tamil}/u, languages: ['ta'] },
]

const SCRIPTS: readonly Script[] = [{ letter: /\p{Script=Latin}/u, languages: inLatin() }, ...NOT_LATIN]

/** Serbian is written in both. */
function inLatin(): string[] {
  const others = new Set(NOT_LATIN.flatMap(({ languages }) => languages))
  return Object.keys(STEMMERS).filter((lang) => lang === 'sr' || !others.has(lang))
}

/** The commonest of each script in the text, and null where a page may have its words as they are. */
export function candidateLanguages(text: string, languages: readonly string[]): (string | null)[] {
  const scripts = SCRIPTS.filter(({ letter }) => letter.test(text))
  const some = new Set(
    scripts.flatMap((script) => languages.filter((lang) => script.languages.includes(lang)).slice(0, MAX_LANGUAGES)),
  )
  return some.size === 0 || some.size < languages.length ? [...some, null] : [...some]
}
