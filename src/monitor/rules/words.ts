// Finds words and phrases: whole words in sequence, in any case, with any punctuation between them.

import { concludeMatches, MatchList } from '../passages.ts'
import { splitWords, type TextWords } from '../text-words.ts'
import type { CheckPage } from '../verdict.ts'

export function checkWords(phrases: readonly string[]): CheckPage {
  const byFirst = new Map<number, Int32Array[]>()
  for (const phrase of phrases) {
    const { hashes, count } = splitWords(phrase)
    const words = hashes.slice(0, count)
    const [first] = words
    if (first === undefined) continue
    byFirst.set(first, [...(byFirst.get(first) ?? []), words])
  }
  return (content) => {
    const words = content.words()
    return concludeMatches(words.text, findPhrases(words, byFirst))
  }
}

function findPhrases({ hashes, count, starts, ends }: TextWords, byFirst: Map<number, Int32Array[]>): MatchList {
  const matches = new MatchList()
  for (let i = 0; i < count; i++) {
    const phrases = byFirst.get(hashes[i] ?? 0)
    if (phrases === undefined) continue
    for (const phrase of phrases) {
      if (phrase.every((word, n) => i + n < count && hashes[i + n] === word)) {
        matches.add(starts[i] ?? 0, ends[i + phrase.length - 1] ?? 0)
      }
    }
  }
  return matches
}
