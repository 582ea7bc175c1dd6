// Scores documents for a query from their term bags.

import { FIELD_WEIGHTS, FIELDS, type Field, type QueryNode } from '../../ports/search.ts'
import { dropPureNegations } from '../query/pure-negations.ts'
import { collectLeafGroups, type LeafGroup, type QueryLeaf } from '../query/query-leaves.ts'
import { bm25, bm25Share, idf, lengthNorm } from './bm25.ts'
import { TITLE_ONLY, titleFactor } from './score-factors.ts'
import { BagReader } from './term-bag.ts'
import { validTerms, type WordStatistics, wordKey } from './word-statistics.ts'

const WEIGHTS = FIELDS.map((field) => FIELD_WEIGHTS[field])
const ALL = FIELDS.map((_, field) => field)
const TITLE = FIELDS.indexOf('title')
const BODY = FIELDS.indexOf('body')
/** A document is about the words in the first fields; boilerplate, the last one, is about the site. */
const CONTENT_FIELDS = FIELDS.indexOf('boilerplate')

const NUMBER = /^\d+$/

interface WeightedLeaf {
  keys: string[]
  /** The keys as the reader of bags numbers them. */
  words: number[]
  fields: readonly number[]
  rarity: number
}

interface WeightedGroup {
  leaves: WeightedLeaf[]
  /** How often the word was typed. */
  repeats: number
}

/** A term and the maximum that it adds to the score of a document. */
export interface TermWeight {
  term: string
  weight: number
}

/** Reads one bag at a time; the other methods refer to the last one read. */
export class Scorer {
  readonly #reader: BagReader
  readonly #groups: WeightedGroup[]
  readonly #words: WordStatistics
  readonly #condition: Condition | null

  /** `text` is the query before prefix expansion; a prefix counts as one word. */
  constructor(text: QueryNode, words: WordStatistics) {
    this.#reader = new BagReader(words.terms)
    this.#words = words
    const positive = dropPureNegations(text)
    this.#condition = positive === null ? null : toCondition(positive, this.#reader)
    this.#groups = weighGroups(collectLeafGroups(text), words, this.#reader)
  }

  /** Number of scored words, or groups of their forms. */
  get leafCount(): number {
    return this.#groups.length
  }

  /** The terms of all leaves. Terms of a phrase share its weight. */
  get termWeights(): TermWeight[] {
    return this.#groups.flatMap(({ leaves, repeats }) =>
      leaves.flatMap(({ keys, rarity }) =>
        keys.flatMap((key) =>
          (this.#words.terms.get(key) ?? []).map((term) => ({ term, weight: (repeats * rarity) / keys.length })),
        ),
      ),
    )
  }

  read(bag: Uint8Array): void {
    this.#reader.read(bag)
  }

  /** `length` is the number of terms of the document. */
  score(length: number): number {
    const norm = lengthNorm(length, this.#words.averageLength)
    let sum = 0
    let inTitle = 0
    for (const { leaves, repeats } of this.#groups) {
      let [best, shareInTitle] = [0, 0]
      for (const leaf of leaves) {
        // A document lacks most words of a question.
        if (!this.#occurs(leaf)) continue
        best = Math.max(best, bm25(leaf.rarity, this.#frequency(leaf), norm))
        if (this.#count(leaf.words, TITLE) === 0) continue
        shareInTitle = Math.max(shareInTitle, this.#count(leaf.words, BODY) > 0 ? 1 : TITLE_ONLY)
      }
      sum += repeats * best
      inTitle += shareInTitle
    }
    return sum * titleFactor(inTitle, this.#groups.length, this.#reader.titleTerms)
  }

  /** The contribution of each field to the score, without the factor for the title. */
  scoresByField(length: number): Partial<Record<Field, number>> {
    const norm = lengthNorm(length, this.#words.averageLength)
    const sums = FIELDS.map(() => 0)
    for (const { leaves, repeats } of this.#groups) {
      const scores = leaves.map((leaf) => bm25(leaf.rarity, this.#frequency(leaf), norm))
      const best = leaves[scores.indexOf(Math.max(...scores))]
      if (best === undefined) continue
      const frequency = this.#frequency(best)
      for (const field of best.fields) {
        const share = (WEIGHTS[field] ?? 0) * this.#count(best.words, field)
        sums[field] = (sums[field] ?? 0) + repeats * bm25Share(best.rarity, share, frequency, norm)
      }
    }
    return Object.fromEntries(FIELDS.map((field, i) => [field, sums[i] ?? 0] as const).filter(([, sum]) => sum > 0))
  }

  /**
   * Whether the document has the positive words in its content and no excluded word. Does not check phrases, and a
   * word that was typed for one field may be in another.
   */
  matchesContent(): boolean {
    return this.#condition !== null && isMet(this.#condition, this.#reader, CONTENT_FIELDS)
  }

  /** Like `matchesContent`, for all fields. */
  matchesAnywhere(): boolean {
    return this.#condition !== null && isMet(this.#condition, this.#reader, FIELDS.length)
  }

  #occurs({ words }: WeightedLeaf): boolean {
    for (const word of words) if (!this.#reader.has(word)) return false
    return true
  }

  #frequency({ words, fields }: WeightedLeaf): number {
    let frequency = 0
    for (const field of fields) frequency += (WEIGHTS[field] ?? 0) * this.#count(words, field)
    return frequency
  }

  /** A phrase counts as often as its rarest term. */
  #count(words: readonly number[], field: number): number {
    let min = Number.POSITIVE_INFINITY
    for (const word of words) min = Math.min(min, this.#reader.count(word, field))
    return min
  }
}

/** A query as bags can be checked for it. */
type Condition =
  | { kind: 'word'; word: number }
  | { kind: 'always' }
  | { kind: 'not'; part: Condition }
  | { kind: 'and' | 'or'; parts: Condition[] }

function toCondition(node: QueryNode, reader: BagReader): Condition {
  switch (node.kind) {
    case 'term':
      return { kind: 'word', word: reader.numberOf(wordKey(validTerms(node.terms), node.isPrefix)) }
    case 'phrase':
    case 'near':
      return { kind: 'always' }
    case 'not':
      return { kind: 'not', part: toCondition(node.part, reader) }
    case 'and':
    case 'or':
      return { kind: node.kind, parts: node.parts.map((part) => toCondition(part, reader)) }
  }
}

/** Checks the first `fields` fields. */
function isMet(condition: Condition, reader: BagReader, fields: number): boolean {
  switch (condition.kind) {
    case 'word':
      return reader.occurs(condition.word, fields)
    case 'always':
      return true
    case 'not':
      return !isMet(condition.part, reader, fields)
    case 'and':
      return condition.parts.every((part) => isMet(part, reader, fields))
    case 'or':
      return condition.parts.some((part) => isMet(part, reader, fields))
  }
}

/** A word that was typed several times counts as often. */
function weighGroups(groups: LeafGroup[], words: WordStatistics, reader: BagReader): WeightedGroup[] {
  const byKey = new Map<string, WeightedGroup>()
  const ownWords = new Set(groups.flat().flatMap((leaf) => (leaf.kind === 'word' ? leafKeys(leaf) : [])))
  for (const group of groups) {
    const key = JSON.stringify(group)
    const before = byKey.get(key)
    if (before !== undefined) before.repeats += 1
    else byKey.set(key, { leaves: weighLeaves(group, { ...words, ownWords }, reader), repeats: 1 })
  }
  return [...byKey.values()]
}

/**
 * Forms of a word share one rarity, that of the most common one: otherwise a form that is unusual here, such as the stem
 * of another language or setName for set_name, would score more than the word. A phrase such as re.sub is as rare as its
 * words together, or pages with "re" here and "sub" there would score more. Words that are also scored on their own
 * (`ownWords`) do not count again.
 */
function weighLeaves(
  group: LeafGroup,
  { documents, documentFrequencies, ownWords }: WordStatistics & { ownWords: ReadonlySet<string> },
  reader: BagReader,
): WeightedLeaf[] {
  const rarityOf = (key: string) => idf(documents, documentFrequencies.get(key) ?? 0)
  const leaves = group.map((leaf) => {
    const keys = leafKeys(leaf)
    const rarest = Math.max(...keys.map(rarityOf))
    const others = keys.filter((key) => !ownWords.has(key))
    return { leaf, keys, rarity: isOneWord(leaf) ? rarest : Math.max(rarest, sum(others.map(rarityOf))) }
  })
  const rarity = Math.min(...leaves.map((leaf) => leaf.rarity))
  return leaves.map(({ leaf: { field }, keys }) => ({
    keys,
    words: keys.map((key) => reader.numberOf(key)),
    fields: field === null ? ALL : [FIELDS.indexOf(field)],
    rarity,
  }))
}

/** Whether the leaf is an abbreviation or a number, such as e.g. or 10:30. */
function isOneWord({ terms }: QueryLeaf): boolean {
  return terms.every((term) => term.length === 1 || NUMBER.test(term))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function leafKeys({ kind, terms, isPrefix }: QueryLeaf): string[] {
  return kind === 'word' ? [wordKey(terms, isPrefix)] : [...new Set(terms)].map((term) => wordKey([term], false))
}
