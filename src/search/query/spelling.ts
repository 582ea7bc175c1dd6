// Corrects words that the index does not contain: the most common of the nearest words.

import type { SearchIndex } from '../../ports/search.ts'

const MIN_LETTERS = 4
const MAX_LETTERS = 30
const LONG = 6
const WORDS_AT_ONCE = 1000
/** Each correction scans the words of four prefixes. */
const MAX_CORRECTED = 4

/** Null if all words are known or none is near. `words` are in lower case. */
export async function correctSpelling(
  words: readonly string[],
  index: Pick<SearchIndex, 'wordCounts' | 'wordsFrom'>,
): Promise<Map<string, string> | null> {
  const counts = await index.wordCounts([...words])
  const corrections = new Map<string, string>()
  const isUnknown = (word: string, i: number) =>
    (counts[i] ?? 0) === 0 && word.length >= MIN_LETTERS && word.length <= MAX_LETTERS
  for (const word of new Set(words.filter(isUnknown).slice(0, MAX_CORRECTED))) {
    const better = await nearestWord(word, index)
    if (better !== null) corrections.set(word, better)
  }
  return corrections.size === 0 ? null : corrections
}

async function nearestWord(word: string, index: Pick<SearchIndex, 'wordsFrom'>): Promise<string | null> {
  const max = word.length < LONG ? 1 : 2
  let best: { word: string; distance: number; count: number } | null = null
  for (const prefix of prefixesOf(word)) {
    for (const { key, count } of await index.wordsFrom(prefix, WORDS_AT_ONCE)) {
      const distance = editDistance(word, key, max)
      if (distance > max || distance === 0) continue
      const isBetter = best === null || distance < best.distance || (distance === best.distance && count > best.count)
      if (isBetter) best = { word: key, distance, count }
    }
  }
  return best?.word ?? null
}

/**
 * Possible prefixes of the intended word: those of this one, or with one of the first two letters wrong, missing or
 * swapped.
 */
function prefixesOf(word: string): Set<string> {
  const [a = '', b = '', c = ''] = word
  return new Set([a + b, b + a, a + c, b + c])
}

/**
 * Number of insertions, deletions, substitutions and transpositions. Returns any number above `max` if it is larger.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? max) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > max) return max + 1
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
