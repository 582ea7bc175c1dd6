// Splits a word as typed, which has no spaces, into units that are searched one by one.

import { splitWords } from '../analyse/split-words.ts'

/** One word, or several that belong together, such as time-sharing, node.js or 10:30. */
export interface QueryUnit {
  words: string[]
}

export function splitUnits(text: string): QueryUnit[] {
  const words = splitWords(text)
  return words.length === 0 ? [] : [{ words }]
}
