// Picks the languages of an index that a word may belong to: languages written in its script. Stemmers do not change
// words of other scripts, so in other languages the word is its own stem.

import { STEMMERS } from '../analyse/stemmers.ts'

interface Script {
  letter: RegExp
  /** Languages with a stemmer. */
  languages: readonly string[]
}

/** Maximum number of languages per script in which a word is stemmed. */
const MAX_LANGUAGES = 5

const NOT_LATIN: readonly Script[] = [
  { letter: /\p{Script=Arabic}/u, languages: ['ar'] },
  { letter: /\p{Script=Armenian}/u, languages: ['hy'] },
  { letter: /\p{Script=Cyrillic}/u, languages: ['bg', 'ru', 'sr', 'uk'] },
  { letter: /\p{Script=Devanagari}/u, languages: ['hi', 'ne'] },
  { letter: /\p{Script=Greek}/u, languages: ['el'] },
  { letter: /\p{Script=Tamil}/u, languages: ['ta'] },
]

const SCRIPTS: readonly Script[] = [{ letter: /\p{Script=Latin}/u, languages: latinLanguages() }, ...NOT_LATIN]

/** Serbian uses both scripts. */
function latinLanguages(): string[] {
  const others = new Set(NOT_LATIN.flatMap(({ languages }) => languages))
  return Object.keys(STEMMERS).filter((lang) => lang === 'sr' || !others.has(lang))
}

/** The most common languages of each script in the text; null stands for pages that contain the words unstemmed. */
export function candidateLanguages(text: string, languages: readonly string[]): (string | null)[] {
  const scripts = SCRIPTS.filter(({ letter }) => letter.test(text))
  const candidates = new Set(
    scripts.flatMap((script) => languages.filter((lang) => script.languages.includes(lang)).slice(0, MAX_LANGUAGES)),
  )
  return candidates.size === 0 || candidates.size < languages.length ? [...candidates, null] : [...candidates]
}
