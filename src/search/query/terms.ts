// Words of a query as terms of the index: in which language a page has them is not known, so each stands under its stem
// in any of the languages there are that are written as it is.

import type { Field, QueryNode } from '../../ports/search.ts'
import { IDEOGRAPH, SIGNS } from '../analyse/letters.ts'
import { termOf } from '../analyse/stems.ts'
import { languagesFor } from './scripts.ts'
import type { Synonyms } from './synonyms.ts'

export function wordNode(
  word: string,
  field: Field | null,
  { languages, synonyms }: { languages: readonly string[]; synonyms: Synonyms },
): QueryNode {
  // Ideographs are indexed in pairs: one alone begins some.
  if (word.length === 1 && isIdeograph(word)) return { kind: 'term', terms: [word], isPrefix: true, field }
  const alike = synonyms.of(word)
  const terms = new Set(
    [word, ...alike.filter((other) => !other.includes(' '))].flatMap((one) => termsOf(one, languages)),
  )
  const own: QueryNode = { kind: 'term', terms: [...terms], isPrefix: false, field }
  const phrases = alike
    .filter((other) => other.includes(' '))
    .map((other) => phraseNode(other.split(' '), field, languages))
  return phrases.length === 0 ? own : { kind: 'or', parts: [own, ...phrases] }
}

export function phraseNode(words: readonly string[], field: Field | null, languages: readonly string[]): QueryNode {
  const whole = withoutTail(words)
  const versions = new Map<string, string[]>()
  for (const lang of languagesFor(whole.join(' '), languages)) {
    const terms = whole.map((word) => termOf(word, lang))
    versions.set(terms.join(' '), terms)
  }
  const parts = [...versions.values()].map((terms): QueryNode => {
    const [only] = terms
    if (terms.length === 1 && only !== undefined) return { kind: 'term', terms: [only], isPrefix: false, field }
    return { kind: 'phrase', terms, field }
  })
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'or', parts }
}

export function termsOf(word: string, languages: readonly string[]): string[] {
  return [...new Set(languagesFor(word, languages).map((lang) => termOf(word, lang)))]
}

/** The last of a run of ideographs stands alone too; behind a pair it says nothing. */
function withoutTail(words: readonly string[]): readonly string[] {
  const [last = '', before = ''] = [words.at(-1), words.at(-2)]
  return last.length === 1 && isIdeograph(last) && before.length === 2 && before.endsWith(last)
    ? words.slice(0, -1)
    : words
}

function isIdeograph(word: string): boolean {
  return SIGNS[word.charCodeAt(0)] === IDEOGRAPH
}
