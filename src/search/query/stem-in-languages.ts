import { toIndexTerm } from '../analyse/index-terms.ts'
import { candidateLanguages } from './languages-by-script.ts'

/** The language of the matching pages is unknown, so a word is stemmed in every language of the index with its script. */
export function stemInLanguages(word: string, languages: readonly string[]): string[] {
  return [...new Set(candidateLanguages(word, languages).map((lang) => toIndexTerm(word, lang)))]
}
