// Other ways to write the words of a query that the index has: "wi fi" for wifi and the reverse, "RFC 9309" for
// RFC9309, Äpfel for Aepfel, the parts of a compound that no page has. They are looked up when a query is interpreted,
// so that they cost the index nothing.

import { MAX_PHRASE_COUNT, type SearchIndex } from '../../ports/search.ts'
import { MAX_WORD_LENGTH } from '../analyse/tokeniser.ts'
import { toMarkedTerm } from '../analyse/word-segmenter.ts'
import {
  type ForeignStems,
  findForeignStems,
  NO_FOREIGN_STEMS,
  type QueryLanguages,
  type TermCounts,
} from './foreign-stems.ts'
import type { QueryWords } from './query-words.ts'
import { ownStems, stemInLanguages, stemPhrase } from './stem-in-languages.ts'
import { withoutUmlauts, withUmlauts } from './umlaut-forms.ts'
import { type CompoundSplit, compoundSplits, splitsOf } from './word-splits.ts'

export interface WordForms {
  /** Other spellings of each word. */
  spellings: ReadonlyMap<string, readonly string[]>
  /** Pairs of words as which each word is also written. */
  splits: ReadonlyMap<string, readonly string[]>
  /** For words that no page contains: the two words that each is composed of. */
  compounds: ReadonlyMap<string, readonly string[]>
  /** Single words by the words that they join, separated by a space. */
  joins: ReadonlyMap<string, string>
  /** Words of ideographs that no page has as a word. */
  unknownIdeographs: ReadonlySet<string>
  /** Stems that are words of other languages. */
  foreignStems: ForeignStems
}

export const NO_FORMS: WordForms = {
  spellings: new Map(),
  splits: new Map(),
  compounds: new Map(),
  joins: new Map(),
  unknownIdeographs: new Set(),
  foreignStems: NO_FOREIGN_STEMS,
}

const MAX_WORDS = 16
/** A query with more words is prose, and only pairs of its words are looked up as a single word. */
const MAX_KEYWORDS = 6
/** In a query with more words, not even pairs are looked up: any of the words finds a page. */
const MAX_PAIRED = 12
/** A split form is used if it is at least this share as common as the word. */
const MIN_SPLIT_SHARE = 0.1

const MIN_STEM = 3

type Vocabulary = Pick<SearchIndex, 'phraseCounts'>

export async function findWordForms(
  queryWords: QueryWords,
  languages: QueryLanguages,
  index: Vocabulary,
): Promise<WordForms> {
  const distinct = [...new Set(queryWords.words)]
  const isProse = distinct.length > MAX_KEYWORDS
  const words = distinct.slice(0, MAX_WORDS)
  const counter = new FormCounter(languages, index)
  const joins = queryWords.sequences
    .filter(({ length }) => !isProse || (length === 2 && distinct.length <= MAX_PAIRED))
    .map((sequence) => ({ key: sequence.join(' '), word: sequence.join('') }))
    .filter(({ word }) => word.length <= MAX_WORD_LENGTH && /\D/.test(word))
    .slice(0, 3 * MAX_WORDS)
  const spellings = languages.languages.includes('de') ? words.flatMap(umlautSpellings) : []
  const forms = [...words, ...joins.map(({ word }) => word), ...spellings.map(({ form }) => form)]
  const marked = queryWords.ideographs.map(toMarkedTerm)
  await counter.count([...forms, ...queryWords.others.slice(0, MAX_WORDS)], marked)
  const isUsed = ({ word, form, isExact }: UmlautSpelling) =>
    isExact
      ? counter.of(form) > 0
      : counter.of(word) < MAX_PHRASE_COUNT && counter.of(form) >= Math.max(1, counter.of(word))
  const used = spellings.filter(isUsed)
  // In prose the other words find the page; only a word that no page contains needs its parts.
  const splits = await findSplits(words, isProse ? 1 : MAX_PHRASE_COUNT, counter)
  return {
    ...splits,
    foreignStems: counter.foreignStems,
    spellings: new Map(
      used.map(({ word }) => [word, used.flatMap((other) => (other.word === word ? other.form : []))]),
    ),
    joins: new Map(joins.flatMap(({ key, word }) => (counter.of(word) > 0 ? [[key, word] as const] : []))),
    unknownIdeographs: new Set(queryWords.ideographs.filter((text) => counter.ofTerm(toMarkedTerm(text)) === 0)),
  }
}

interface UmlautSpelling {
  word: string
  form: string
  /** If false, the word may be of another language, so the form must be as common. */
  isExact: boolean
}

function umlautSpellings(word: string): UmlautSpelling[] {
  const [form, plain] = [withUmlauts(word), withoutUmlauts(word)]
  return [
    ...(form === null ? [] : [{ word, form, isExact: false }]),
    ...(plain === null ? [] : [{ word, form: plain, isExact: true }]),
  ]
}

/** Splits of words that fewer than `maxDocuments` documents contain. */
async function findSplits(
  words: readonly string[],
  maxDocuments: number,
  counter: FormCounter,
): Promise<Pick<WordForms, 'splits' | 'compounds'>> {
  const candidates = words
    .filter((word) => counter.of(word) < maxDocuments)
    .map((word) => ({ word, splits: splitsOf(word), compounds: counter.of(word) > 0 ? [] : compoundSplits(word) }))
  const parts = candidates.flatMap(({ splits, compounds }) => [...splits, ...compounds].flat())
  await counter.count(parts, [])
  // A phrase is no more common than its words.
  const isCommonEnough = (word: string) => (split: CompoundSplit) =>
    split.every((part) => counter.isWord(part) && counter.of(part) >= Math.max(1, MIN_SPLIT_SHARE * counter.of(word)))
  await counter.countPhrases(candidates.flatMap(({ word, splits }) => splits.filter(isCommonEnough(word))))
  const splits = new Map<string, CompoundSplit>()
  const compounds = new Map<string, CompoundSplit>()
  for (const { word, splits: asPhrase, compounds: asCompound } of candidates) {
    const best = mostCommon(asPhrase, (split) => counter.ofPhrase(split))
    if (best !== null && counter.ofPhrase(best) >= MIN_SPLIT_SHARE * counter.of(word)) splits.set(word, best)
    const composed = mostCommon(asCompound, (split) => Math.min(...split.map((part) => counter.of(part))))
    if (best === null && composed !== null) compounds.set(word, composed)
  }
  return { splits, compounds }
}

/** Null if no count is above 0. */
function mostCommon(splits: readonly CompoundSplit[], countOf: (split: CompoundSplit) => number): CompoundSplit | null {
  let best: CompoundSplit | null = null
  for (const split of splits) if (countOf(split) > (best === null ? 0 : countOf(best))) best = split
  return best
}

/** Document counts of words and phrases in any language of the index. */
class FormCounter {
  readonly #languages: QueryLanguages
  readonly #index: Vocabulary
  readonly #foreign = new Set<string>()
  /** Counts by terms, separated by a space. */
  readonly #counts = new Map<string, number>()

  constructor(languages: QueryLanguages, index: Vocabulary) {
    this.#languages = languages
    this.#index = index
  }

  get foreignStems(): ForeignStems {
    return this.#foreign
  }

  async count(words: readonly string[], terms: readonly string[]): Promise<void> {
    const stems = words.flatMap((word) => stemInLanguages(word, this.#languages.languages))
    await this.#read([...stems, ...terms].map((term) => [term]))
    const counts: TermCounts = {
      known: (term) => this.ofTerm(term),
      countUpTo: (common, max) =>
        this.#index.phraseCounts(
          common.map((term) => [term]),
          max,
        ),
    }
    for (const key of await findForeignStems(words, this.#languages, counts)) this.#foreign.add(key)
  }

  async countPhrases(phrases: readonly CompoundSplit[]): Promise<void> {
    await this.#read(phrases.flatMap((phrase) => this.#stemmed(phrase)))
  }

  of(word: string): number {
    return Math.max(...ownStems(word, this.#languages.languages, this.#foreign).map((term) => this.ofTerm(term)))
  }

  /** Whether the part is a word rather than an ending: the stem of "eing" is "e". */
  isWord(part: string): boolean {
    const minLength = Math.min(part.length, MIN_STEM)
    return stemInLanguages(part, this.#languages.languages).every((stem) => stem.length >= minLength)
  }

  ofTerm(term: string): number {
    return this.#counts.get(term) ?? 0
  }

  ofPhrase(words: CompoundSplit): number {
    return Math.max(...this.#stemmed(words).map((terms) => this.ofTerm(terms.join(' '))))
  }

  #stemmed(words: CompoundSplit): string[][] {
    return stemPhrase(words, this.#languages.languages, this.#foreign)
  }

  async #read(phrases: string[][]): Promise<void> {
    const missing = new Map(phrases.map((terms) => [terms.join(' '), terms]))
    for (const key of this.#counts.keys()) missing.delete(key)
    if (missing.size === 0) return
    const counts = await this.#index.phraseCounts([...missing.values()])
    for (const [i, key] of [...missing.keys()].entries()) this.#counts.set(key, counts[i] ?? 0)
  }
}
