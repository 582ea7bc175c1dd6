// Finds words of a query that are probably misspelt, with near terms of the index. Words are compared by their stems,
// because the index has stems of all words; and unstemmed, because the stem of a misspelt word may be that of another
// word.

import { MAX_PHRASE_COUNT } from '../../ports/search.ts'
import { edgeEdits } from './edge-edits.ts'
import type { StemmedWords } from './interpret-query.ts'
import type { Vocabulary } from './remembered-counts.ts'
import { ownStems } from './stem-in-languages.ts'

export interface NearTerm {
  term: string
  /** Distance of the stems; null if a larger distance may be due to a misspelt ending. */
  distance: number | null
  /** How unlikely it is that the word is a misspelling of the term. */
  cost: number
  /** Documents that contain it. */
  count: number
}

export interface Misspelling {
  word: string
  /** Most likely first, then most common. Never empty. */
  nearTerms: NearTerm[]
}

const MIN_LETTERS = 4
const MAX_LETTERS = 30
/** Shorter words differ by one letter at most. */
const LONG = 6
/** A word in more documents is never corrected. */
const MAX_RARE = 2
/** A word that some documents have is corrected only to a word that this many times as many documents have. */
const MIN_RATIO = 50
const MAX_MISSPELT = 4
/**
 * The ratio for a word that no hit shows as it was typed: other words may have its stem, as "fore" has that of
 * "foreing".
 */
const MIN_RATIO_UNSEEN = 10
/** Maximum length of an ending: "botanicl" may be misspelt "botanical", whose stem is "botan". */
const MAX_ENDING = 5
/** Prefix lengths of compared terms: in a large index, too many terms share the short prefix to see all of them. */
const PREFIX_LENGTHS = [4, 3]
const TERMS_AT_ONCE = 20_000
const MAX_NEAR_TERMS = 3
/** Numbers are not misspelt, and ideographs have no letters. */
const IS_CORRECTABLE =
  /^(?!.*[\p{Ideographic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])\p{L}[\p{L}\p{M}]*$/u

/** `words` are in lower case. */
export async function findMisspellings(
  words: readonly string[],
  { languages, foreignStems, isSeen }: StemmedWords & { isSeen: (word: string) => boolean },
  index: Vocabulary,
): Promise<Misspelling[]> {
  const isChecked = (word: string) =>
    word.length >= MIN_LETTERS && word.length <= MAX_LETTERS && IS_CORRECTABLE.test(word)
  const checked = [...new Set(words)].filter(isChecked)
  const stems = new Map(checked.map((word) => [word, ownStems(word, languages, foreignStems)]))
  const counts = await countTerms([...stems.values()].flat(), index)
  const countOf = (terms: readonly string[]) => Math.max(...terms.map((term) => counts.get(term) ?? 0))
  const isRare = (terms: readonly string[]) => countOf(terms) <= MAX_RARE
  const isUnseen = (word: string, terms: readonly string[]) =>
    countOf(terms) < MAX_PHRASE_COUNT && !terms.every((term) => term === word) && !isSeen(word)
  const suspects = [...stems].filter(([word, terms]) => isRare(terms) || isUnseen(word, terms)).slice(0, MAX_MISSPELT)
  const misspellings: Misspelling[] = []
  for (const [word, terms] of suspects) {
    const [count, minRatio] = [countOf(terms), isRare(terms) ? MIN_RATIO : MIN_RATIO_UNSEEN]
    const compared = isRare(terms) ? [...new Set([...terms, word])] : [word]
    const nearTerms = (await findNearTerms(word, compared, index)).filter(
      (near) => count === 0 || (near.distance === 1 && near.count >= minRatio * count),
    )
    if (nearTerms.length > 0) misspellings.push({ word, nearTerms: nearTerms.slice(0, MAX_NEAR_TERMS) })
  }
  return misspellings
}

async function countTerms(terms: readonly string[], index: Vocabulary): Promise<Map<string, number>> {
  const counts = await index.phraseCounts(terms.map((term) => [term]))
  return new Map(terms.map((term, i) => [term, counts[i] ?? 0]))
}

/**
 * Terms with the same first letters. If none of them is likely enough, also terms with one edit among the first
 * letters.
 */
async function findNearTerms(word: string, stems: readonly string[], index: Vocabulary): Promise<NearTerm[]> {
  const max = maxDistance(word)
  const [stem = word] = stems
  const near: NearTerm[] = []
  const seen = new Set<string>(stems)
  const compare = (term: string, count: number) => {
    if (count === 0 || seen.has(term)) return
    seen.add(term)
    const distance = Math.min(...stems.map((one) => editDistance(one, term, max)))
    if (distance <= max) near.push({ term, distance, cost: misspellingCost(stem, term, distance), count })
    else if (isStemOf(term, stem)) near.push({ term, distance: null, cost: ENDING_COST, count })
  }
  const isFound = () => near.some(({ cost }) => cost < 1)
  for (const length of PREFIX_LENGTHS) {
    if (stem.length < length || isFound()) continue
    for (const { key, count } of await index.termsFrom(stem.slice(0, length), TERMS_AT_ONCE)) compare(key, count)
  }
  if (!isFound()) for (const [term, count] of await countTerms(edgeEdits(stem), index)) compare(term, count)
  const wordDistance = new Map(near.map(({ term }) => [term, editDistance(word, term, max)]))
  const fromWord = ({ term }: NearTerm) => Math.min(wordDistance.get(term) ?? 0, max + 1)
  return near.sort(
    (a, b) => a.cost - b.cost || fromWord(a) - fromWord(b) || b.count - a.count || (a.term < b.term ? -1 : 1),
  )
}

function isStemOf(term: string, word: string): boolean {
  return term.length >= MIN_LETTERS && word.length <= term.length + MAX_ENDING && word.startsWith(term)
}

/** Cost of a misspelt ending. */
const ENDING_COST = 1.5
/** Costs per edit: people often double a letter or forget to, and confuse vowels. */
const [DOUBLED_COST, VOWEL_COST] = [0.5, 0.75]
const DOUBLED = /(\p{L})\1+/gu
const VOWELS = /[aeiouy]/g

/** How unlikely this misspelling is; it has `distance` edits. */
export function misspellingCost(typed: string, word: string, distance: number): number {
  if (typed.replaceAll(DOUBLED, '$1') === word.replaceAll(DOUBLED, '$1')) return DOUBLED_COST * distance
  return distance * (typed.replaceAll(VOWELS, '') === word.replaceAll(VOWELS, '') ? VOWEL_COST : 1)
}

/** A word with more edits is another word. */
export function maxDistance(word: string): number {
  return word.length < LONG ? 1 : 2
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
