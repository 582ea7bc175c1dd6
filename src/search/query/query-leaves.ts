// The leaves of a query: the terms, phrases and NEAR groups that are scored one by one.

import { type Field, type QueryNode, TERM_PATTERN } from '../../ports/search.ts'
import { dropPureNegations } from './pure-negations.ts'

export interface QueryLeaf {
  /** A word has variants as terms, which count together. A phrase or NEAR group counts as often as its rarest term. */
  kind: 'word' | 'phrase' | 'near'
  terms: string[]
  isPrefix: boolean
  field: Field | null
}

/** Forms of one word or phrase: the best of them is scored. Never empty. */
export type LeafGroup = QueryLeaf[]

export function collectLeafGroups(node: QueryNode): LeafGroup[] {
  const positive = dropPureNegations(node)
  return positive === null ? [] : collect(positive).filter(({ length }) => length > 0)
}

function collect(node: QueryNode): LeafGroup[] {
  switch (node.kind) {
    case 'not':
      return []
    case 'and':
    case 'or': {
      const groups = node.parts.flatMap(collect)
      return node.areForms ? [groups.flat()] : groups
    }
    case 'term': {
      const terms = node.terms.filter((term) => TERM_PATTERN.test(term))
      return terms.length === 0 ? [] : [[{ kind: 'word', terms, isPrefix: node.isPrefix, field: node.field }]]
    }
    case 'phrase':
    case 'near': {
      if (!node.terms.every((term) => TERM_PATTERN.test(term))) return []
      const field = node.kind === 'phrase' ? node.field : null
      return [[{ kind: node.kind, terms: node.terms, isPrefix: false, field }]]
    }
  }
}
