// What a query is scored by: its words and phrases, each by how rare it is and how often a document has it. The same for
// every index.

import { type Field, type QueryNode, TERM_PATTERN } from '../../ports/search.ts'

const K1 = 1.2
const B = 0.75
/** A term that half of all documents have says nothing, but is not held against them. */
const LEAST_IDF = 1e-6

/** What is scored by itself. */
export interface QueryLeaf {
  /** A term, or terms that must stand together and count as often as the rarest of them. */
  kind: 'any' | 'phrase' | 'near'
  terms: string[]
  isPrefix: boolean
  field: Field | null
}

export function collectLeaves(node: QueryNode): QueryLeaf[] {
  const positive = dropPureNegations(node)
  return positive === null ? [] : collect(positive)
}

function collect(node: QueryNode): QueryLeaf[] {
  switch (node.kind) {
    case 'not':
      return []
    case 'and':
    case 'or':
      return node.parts.flatMap(collect)
    case 'term':
      return node.terms
        .filter((term) => TERM_PATTERN.test(term))
        .map((term) => ({ kind: 'any', terms: [term], isPrefix: node.isPrefix, field: node.field }))
    case 'phrase':
    case 'near': {
      if (!node.terms.every((term) => TERM_PATTERN.test(term))) return []
      return [
        { kind: node.kind, terms: node.terms, isPrefix: false, field: node.kind === 'phrase' ? node.field : null },
      ]
    }
  }
}

/** What is only `not` finds nothing: it takes away from what stands beside it in an `and`, and adds nothing to an `or`. */
export function dropPureNegations(node: QueryNode): QueryNode | null {
  if (isPurelyNegative(node)) return null
  if (node.kind !== 'and' && node.kind !== 'or') return node
  const parts = node.parts.flatMap((part) => {
    if (isPurelyNegative(part)) return node.kind === 'and' ? [part] : []
    return dropPureNegations(part) ?? []
  })
  return { kind: node.kind, parts }
}

/** Nothing in it is wanted. */
export function isPurelyNegative(node: QueryNode): boolean {
  return node.kind === 'not' || ((node.kind === 'and' || node.kind === 'or') && node.parts.every(isPurelyNegative))
}

/** Inverse document frequency of a term that `having` of `documents` documents contain. */
export function idf(documents: number, having: number): number {
  const count = Math.min(documents, having)
  return Math.max(LEAST_IDF, Math.log((documents - count + 0.5) / (count + 0.5)))
}

/** Terms per document, over the whole index. At least 1, since lengths are divided by it. */
export function averageLength(totalTerms: number, documents: number): number {
  return Math.max(1, totalTerms / Math.max(1, documents))
}

/** Long documents need more occurrences for the same score. */
export function lengthNorm(length: number, average: number): number {
  return K1 * (1 - B + (B * length) / average)
}

/** Score of one leaf. `frequency` is the sum of its occurrences, each weighted by its field. */
export function bm25(rarity: number, frequency: number, norm: number): number {
  return bm25Share(rarity, frequency, frequency, norm)
}

/** The part of a score that comes from `share` of the weighted frequency, as one field contributes it. */
export function bm25Share(rarity: number, share: number, frequency: number, norm: number): number {
  return (rarity * share * (K1 + 1)) / (frequency + norm)
}

/** `lengthNorm` as SQL. Both arguments are SQL expressions; the result is a double. */
export function lengthNormSql(length: string, average: string): string {
  return `${K1} * (${1 - B} + ${B} * ${length} / ${average})`
}

/** `bm25` as SQL. All arguments are SQL expressions of doubles; `frequency` is evaluated twice. */
export function bm25Sql(rarity: string, frequency: string, norm: string): string {
  return `${rarity} * ${K1 + 1} * ${frequency} / (${frequency} + ${norm})`
}
