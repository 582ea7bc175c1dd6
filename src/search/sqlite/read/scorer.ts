// Scores documents for a query from their term bags.

import { FIELD_WEIGHTS, FIELDS, type Field, type QueryNode } from '../../../ports/search.ts'
import { dropPureNegations } from '../../query/pure-negations.ts'
import { collectLeaves, type QueryLeaf } from '../../query/query-leaves.ts'
import { bm25, bm25Share, idf, lengthNorm } from '../../rank/bm25.ts'
import { BagReader } from '../term-bag.ts'
import { type QueryTerms, termKey } from './query-terms.ts'

const WEIGHTS = FIELDS.map((field) => FIELD_WEIGHTS[field])
const ALL = FIELDS.map((_, field) => field)

interface WeightedLeaf {
  leaf: QueryLeaf
  keys: string[]
  fields: readonly number[]
  rarity: number
}

/** Reads one bag at a time; the other methods refer to the last one read. */
export class Scorer {
  readonly #reader: BagReader
  readonly #leaves: WeightedLeaf[]
  readonly #averageLength: number
  readonly #text: QueryNode | null

  /** `text` is the query before prefix expansion; a prefix counts as one word. */
  constructor(text: QueryNode, words: QueryTerms) {
    this.#reader = new BagReader(words.terms)
    this.#averageLength = words.averageLength
    this.#text = dropPureNegations(text)
    this.#leaves = collectLeaves(text).map((queryLeaf) => {
      const keys = [...new Set(queryLeaf.terms)].map((term) => termKey(term, queryLeaf.isPrefix))
      const rarity = idf(words.documents, Math.min(...keys.map((key) => words.documentFrequencies.get(key) ?? 0)))
      return {
        leaf: queryLeaf,
        keys,
        fields: queryLeaf.field === null ? ALL : [FIELDS.indexOf(queryLeaf.field)],
        rarity,
      }
    })
  }

  read(bag: Uint8Array): void {
    this.#reader.read(bag)
  }

  /** `length` is the number of terms of the document. */
  score(length: number): number {
    const norm = lengthNorm(length, this.#averageLength)
    let sum = 0
    for (const { keys, fields, rarity } of this.#leaves) {
      let frequency = 0
      for (const field of fields) frequency += (WEIGHTS[field] ?? 0) * this.#count(keys, field)
      sum += bm25(rarity, frequency, norm)
    }
    return sum
  }

  /** The contribution of each field to the score. */
  scoresByField(length: number): Partial<Record<Field, number>> {
    const norm = lengthNorm(length, this.#averageLength)
    const sums = FIELDS.map(() => 0)
    for (const { keys, fields, rarity } of this.#leaves) {
      const weights = fields.map((field) => (WEIGHTS[field] ?? 0) * this.#count(keys, field))
      const frequency = weights.reduce((sum, weight) => sum + weight, 0)
      for (const [i, field] of fields.entries()) {
        sums[field] = (sums[field] ?? 0) + bm25Share(rarity, weights[i] ?? 0, frequency, norm)
      }
    }
    return Object.fromEntries(FIELDS.map((field, i) => [field, sums[i] ?? 0] as const).filter(([, sum]) => sum > 0))
  }

  /** Whether the document has the positive words in their fields and no excluded word. Cannot check phrases. */
  matches(): boolean {
    return this.#text !== null && this.#matchesNode(this.#text)
  }

  #matchesNode(node: QueryNode): boolean {
    switch (node.kind) {
      case 'term': {
        const fields = node.field === null ? ALL : [FIELDS.indexOf(node.field)]
        const keys = node.terms.map((term) => termKey(term, node.isPrefix))
        return keys.some((key) => fields.some((field) => this.#reader.count(key, field) > 0))
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
