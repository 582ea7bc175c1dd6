// The leaves of a query: the terms, phrases and NEAR groups that are scored one by one.

import { type Field, type QueryNode, TERM_PATTERN } from '../../ports/search.ts'
import { dropPureNegations } from './pure-negations.ts'

export interface QueryLeaf {
  /** `any` is a word: its terms are variants, which count together. A phrase or NEAR group counts as its rarest term. */
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
    case 'term': {
      const terms = node.terms.filter((term) => TERM_PATTERN.test(term))
      return terms.length === 0 ? [] : [{ kind: 'any', terms, isPrefix: node.isPrefix, field: node.field }]
    }
    case 'phrase':
    case 'near': {
      if (!node.terms.every((term) => TERM_PATTERN.test(term))) return []
      return [
        { kind: node.kind, terms: node.terms, isPrefix: false, field: node.kind === 'phrase' ? node.field : null },
      ]
    }
  }
}
