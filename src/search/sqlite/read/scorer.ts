// The score of a document for a query, counted from its bag.

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

/** Of one query: reads a bag, and tells of that one. */
export class Scorer {
  readonly #reader: BagReader
  readonly #leaves: WeightedLeaf[]
  readonly #averageLength: number
  readonly #text: QueryNode | null

  /** `text` as it was asked: beginnings are words of their own here. */
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

  /** Of a document with so many terms. */
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

  /** What each field adds to it. */
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

  /** Whether it has the words that are wanted, where they are, and none of those that are refused. Phrases it cannot tell. */
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

  /** Terms that belong together are there as often as the rarest of them. */
  #count(keys: readonly string[], field: number): number {
    let least = Number.POSITIVE_INFINITY
    for (const key of keys) least = Math.min(least, this.#reader.count(key, field))
    return least
  }
}
