// Synonyms for searches, from a file: one group per line, separated by commas; # starts a comment.

import { readFileSync } from 'node:fs'
import { AppError } from '../../lib/errors.ts'
import { splitWords } from '../analyse/split-words.ts'

export interface Synonyms {
  /** Synonyms in lower case; multi-word synonyms are joined by spaces. */
  find(word: string): readonly string[]
}

export const NO_SYNONYMS: Synonyms = { find: () => [] }
const MAX_PER_WORD = 10

export function parseSynonyms(text: string): Synonyms {
  const byWord = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [group = ''] = line.split('#')
    const words = group.split(',').flatMap((part) => splitWords(part).join(' ') || [])
    for (const word of words) {
      const others = words.filter((other) => other !== word)
      byWord.set(word, [...(byWord.get(word) ?? []), ...others].slice(0, MAX_PER_WORD))
    }
  }
  return { find: (word) => byWord.get(word) ?? [] }
}

export function readSynonyms(file: string | null): Synonyms {
  if (file === null) return NO_SYNONYMS
  try {
    return parseSynonyms(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new AppError('FILE_UNREADABLE', `Cannot read the synonym file ${file}.`, { cause })
  }
}
