// Suggests a query with misspelt words replaced, if it finds more than the one that was typed.

import type { HighlightRange, IndexHit, IndexQuery, SearchIndex } from '../../ports/search.ts'
import { toIndexTerm } from '../analyse/index-terms.ts'
import { interpretWithVocabulary, type StemmedWords, type VocabularyContext } from '../query/interpret-query.ts'
import type { Vocabulary } from '../query/remembered-counts.ts'
import {
  editDistance,
  findMisspellings,
  type Misspelling,
  maxDistance,
  misspellingCost,
  type NearTerm,
} from '../query/spelling.ts'
import { stemInLanguages } from '../query/stem-in-languages.ts'

export interface TypedQuery {
  text: string
  words: readonly string[]
  context: VocabularyContext
  stemmed: StemmedWords
  /** Documents that match all of it. */
  matches: number
  /** The best of them. */
  hits: readonly IndexHit[]
}

/** A query with more words is hardly ever on a page as a whole, with or without corrections. */
const MAX_QUERY_WORDS = 10
/** Documents in which the word of a term is looked up. */
const MAX_DOCUMENTS = 3
const WORD = /[\p{L}\p{N}\p{M}'’]+/gu
const APOSTROPHES = /['’]/g

/** `query` has the filter of the search. Null if nothing is misspelt. */
export async function suggestQuery(
  { text, words, context, stemmed, matches, hits }: TypedQuery,
  query: IndexQuery,
  { index, vocabulary }: { index: SearchIndex; vocabulary: Vocabulary },
): Promise<string | null> {
  if (words.length > MAX_QUERY_WORDS) return null
  const corrections = new Map<string, string>()
  const seen = new Set(hits.flatMap(highlightedWords))
  const isSeen = (word: string) => hits.length === 0 || seen.has(word)
  for (const misspelling of await findMisspellings(words, { ...stemmed, isSeen }, vocabulary)) {
    const word = await findWord(misspelling, { query, index, languages: stemmed.languages })
    if (word !== null) corrections.set(misspelling.word, word)
  }
  if (corrections.size === 0) return null
  const suggested = replaceWords(text, corrections)
  const { text: interpreted } = await interpretWithVocabulary(suggested, context, vocabulary)
  if (suggested === text || interpreted === null) return null
  const { total } = await index.find(countOnly({ ...query, text: interpreted }))
  return total > matches ? suggested : null
}

interface WordLookup {
  query: IndexQuery
  index: SearchIndex
  languages: readonly string[]
}

interface LikelyWord {
  word: string
  cost: number
}

/** Words differ more than their stems, so a term that seemed less likely may have the word that was meant. */
async function findWord({ word: typed, nearTerms }: Misspelling, lookup: WordLookup): Promise<string | null> {
  let likeliest: LikelyWord | null = null
  for (const nearTerm of nearTerms) {
    if (likeliest !== null && likeliest.cost <= nearTerm.cost) break
    const found = (await findNearWord(typed, nearTerm.term, lookup)) ?? (await findWordOnPages(typed, nearTerm, lookup))
    if (found !== null && found.cost < (likeliest?.cost ?? Number.POSITIVE_INFINITY)) likeliest = found
  }
  return likeliest?.word ?? null
}

/** A stem may end with other letters than its word. */
const MAX_CHANGED = 2
const MIN_PREFIX = 3
const MAX_WORDS = 500

/** The most likely intended word of the term, among the words that the index suggests. */
async function findNearWord(typed: string, term: string, { index, languages }: WordLookup): Promise<LikelyWord | null> {
  const prefix = term.slice(0, Math.max(MIN_PREFIX, term.length - MAX_CHANGED))
  const max = maxDistance(typed)
  const near = (await index.wordsFrom(prefix, MAX_WORDS))
    .map(({ key }) => ({ word: key, distance: editDistance(typed, key, max) }))
    .filter(({ distance }) => distance <= max)
    .map(({ word, distance }) => ({ word, cost: misspellingCost(typed, word, distance) }))
    .sort((a, b) => a.cost - b.cost)
  return near.find(({ word }) => stemInLanguages(word, languages).includes(term)) ?? null
}

/**
 * The index contains stems only. The word is taken from what matches on a page: the form that is nearest to what was
 * typed.
 */
async function findWordOnPages(
  typed: string,
  { term, distance }: NearTerm,
  { query, index }: WordLookup,
): Promise<LikelyWord | null> {
  const node = { kind: 'term' as const, terms: [term], isPrefix: false, field: null }
  const { hits } = await index.find({ ...countOnly({ ...query, text: node }), limit: MAX_DOCUMENTS })
  const forms = new Set<string>()
  for (const hit of hits) {
    for (const word of highlightedWords(hit)) if (toIndexTerm(word, hit.lang) === term) forms.add(word)
  }
  const distanceOf = (form: string) => editDistance(typed, form, typed.length)
  const [nearest] = [...forms].sort((a, b) => distanceOf(a) - distanceOf(b))
  if (nearest === undefined || (distance === null && distanceOf(nearest) > maxDistance(typed))) return null
  return { word: nearest, cost: misspellingCost(typed, nearest, distanceOf(nearest)) }
}

function highlightedWords({ title, titleHighlights, snippet }: IndexHit): string[] {
  const matches = [...highlighted(title, titleHighlights), ...highlighted(snippet.text, snippet.highlights)]
  return matches.map((raw) => toPlainWord(raw.normalize('NFKC')))
}

function highlighted(text: string, ranges: readonly HighlightRange[]): string[] {
  return ranges.map(([start, end]) => text.slice(start, end))
}

function countOnly(query: IndexQuery): IndexQuery {
  return { ...query, limit: 0, offset: 0, wantsFacets: false, explains: false, groupsSimilar: false }
}

function toPlainWord(raw: string): string {
  return raw.toLowerCase().replaceAll(APOSTROPHES, '')
}

/** The query as the person wrote it, with misspelt words replaced. */
function replaceWords(text: string, corrections: ReadonlyMap<string, string>): string {
  return text.replaceAll(WORD, (raw) => corrections.get(toPlainWord(raw.normalize('NFKC'))) ?? raw)
}
