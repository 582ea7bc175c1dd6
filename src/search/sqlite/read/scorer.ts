// Scores documents for a query from their term bags.

import { FIELD_WEIGHTS, FIELDS, type Field, type QueryNode } from '../../../ports/search.ts'
import { dropPureNegations } from '../../query/pure-negations.ts'
import { collectLeaves, type QueryLeaf } from '../../query/query-leaves.ts'
import { bm25, bm25Share, idf, lengthNorm } from '../../rank/bm25.ts'
import { titleFactor } from '../../rank/score-factors.ts'
import { BagReader } from '../term-bag.ts'
import { type QueryTerms, validTerms, wordKey } from './query-terms.ts'

const WEIGHTS = FIELDS.map((field) => FIELD_WEIGHTS[field])
const ALL = FIELDS.map((_, field) => field)
const TITLE = FIELDS.indexOf('title')
/** A document is about the words in these fields; boilerplate is about the site. */
const CONTENT = ALL.filter((field) => FIELDS[field] !== 'boilerplate')

interface WeightedLeaf {
  keys: string[]
  fields: readonly number[]
  /** Rarity of the leaf, times how often it was typed. */
  weight: number
}

/** A term and what it adds at most to the score of a document. */
export interface TermWeight {
  term: string
  weight: number
}

/** Reads one bag at a time; the other methods refer to the last one read. */
export class Scorer {
  readonly #reader: BagReader
  readonly #leaves: WeightedLeaf[]
  readonly #words: QueryTerms
  readonly #text: QueryNode | null

  /** `text` is the query before prefix expansion; a prefix counts as one word. */
  constructor(text: QueryNode, words: QueryTerms) {
    this.#reader = new BagReader(words.terms)
    this.#words = words
    this.#text = dropPureNegations(text)
    this.#leaves = weighLeaves(collectLeaves(text), words)
  }

  /** The terms of all leaves. Those of a phrase share its weight. */
  get termWeights(): TermWeight[] {
    return this.#leaves.flatMap(({ keys, weight }) =>
      keys.flatMap((key) => (this.#words.terms.get(key) ?? []).map((term) => ({ term, weight: weight / keys.length }))),
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
    for (const { keys, fields, weight } of this.#leaves) {
      let frequency = 0
      for (const field of fields) frequency += (WEIGHTS[field] ?? 0) * this.#count(keys, field)
      sum += bm25(weight, frequency, norm)
      if (this.#count(keys, TITLE) > 0) inTitle += 1
    }
    return sum * titleFactor(inTitle, this.#leaves.length, this.#reader.titleTerms)
  }

  /** The contribution of each field to the score. */
  scoresByField(length: number): Partial<Record<Field, number>> {
    const norm = lengthNorm(length, this.#words.averageLength)
    const sums = FIELDS.map(() => 0)
    for (const { keys, fields, weight } of this.#leaves) {
      const weights = fields.map((field) => (WEIGHTS[field] ?? 0) * this.#count(keys, field))
      const frequency = weights.reduce((sum, one) => sum + one, 0)
      for (const [i, field] of fields.entries()) {
        sums[field] = (sums[field] ?? 0) + bm25Share(weight, weights[i] ?? 0, frequency, norm)
      }
    }
    return Object.fromEntries(FIELDS.map((field, i) => [field, sums[i] ?? 0] as const).filter(([, sum]) => sum > 0))
  }

  /**
   * Whether the document has the positive words in its content and no excluded word. Cannot check phrases, and a word
   * that was asked for in a field may be in another one.
   */
  matchesContent(): boolean {
    return this.#text !== null && this.#matchesNode(this.#text)
  }

  #matchesNode(node: QueryNode): boolean {
    switch (node.kind) {
      case 'term': {
        const key = wordKey(validTerms(node.terms), node.isPrefix)
        return CONTENT.some((field) => this.#reader.count(key, field) > 0)
      }
      case 'phrase':
      case 'near':
        return true
      case 'not':
        return !this.#matchesNode(node.part)
      case 'and':
        return node.parts.every((part) => this.#matchesNode(part))
      case 'or':
        return node.parts.some((part) => this.#matchesNode(part))
    }
  }

  /** A phrase counts as often as its rarest term. */
  #count(keys: readonly string[], field: number): number {
    let min = Number.POSITIVE_INFINITY
    for (const key of keys) min = Math.min(min, this.#reader.count(key, field))
    return min
  }
}

/** A leaf that was typed several times counts as often. */
function weighLeaves(leaves: QueryLeaf[], words: QueryTerms): WeightedLeaf[] {
  const byKey = new Map<string, WeightedLeaf>()
  for (const leaf of leaves) {
    const keys = keysOf(leaf)
    const id = `${leaf.kind} ${leaf.field} ${keys.join(' ')}`
    const having = Math.min(...keys.map((key) => words.documentFrequencies.get(key) ?? 0))
    const rarity = idf(words.documents, having)
    const before = byKey.get(id)
    if (before !== undefined) before.weight += rarity
    else byKey.set(id, { keys, fields: leaf.field === null ? ALL : [FIELDS.indexOf(leaf.field)], weight: rarity })
  }
  return [...byKey.values()]
}

function keysOf({ kind, terms, isPrefix }: QueryLeaf): string[] {
  return kind === 'any' ? [wordKey(terms, isPrefix)] : [...new Set(terms)].map((term) => wordKey([term], false))
}
