// Indexes the names of people, places and organisations as terms, so that a name or a part of it is a single index
// lookup. They start with characters that no word contains.

import type { Entity } from '../ports/search.ts'
import { foldAccents } from './analyse/character-classes.ts'
import { splitWords } from './analyse/split-words.ts'

const KIND_PREFIXES: Readonly<Record<Entity['kind'], string>> = {
  person: '\ue003',
  place: '\ue004',
  organisation: '\ue005',
}
const BETWEEN_WORDS = '\ue006'
/** Longer names are indexed in parts with this many words. */
const MAX_WORDS = 5

/** Distinct terms for each name and each part of it: "Lovelace" finds Ada Lovelace. */
export function entityTerms(entities: readonly Entity[]): string[] {
  const terms = new Set<string>()
  for (const { kind, text } of entities) {
    const words = nameWords(text)
    for (let start = 0; start < words.length; start++) {
      for (let end = start + 1; end <= Math.min(words.length, start + MAX_WORDS); end++) {
        terms.add(toTerm(kind, words.slice(start, end)))
      }
    }
  }
  return [...terms]
}

/** The term of a name, or of the first words of a longer one. Null if it has no words. */
export function entityTerm({ kind, text }: Entity): string | null {
  const words = nameWords(text)
  return words.length === 0 ? null : toTerm(kind, words.slice(0, MAX_WORDS))
}

/** Words of a name in lower case, without accents. */
export function nameWords(text: string): string[] {
  return splitWords(text.normalize('NFKC')).map((word) => foldAccents(word) || word)
}

function toTerm(kind: Entity['kind'], words: readonly string[]): string {
  return KIND_PREFIXES[kind] + words.join(BETWEEN_WORDS)
}
