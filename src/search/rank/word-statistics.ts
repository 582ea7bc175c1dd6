// Statistics of an index about the words of a query, for scoring.

import { type QueryNode, TERM_PATTERN } from '../../ports/search.ts'

export interface WordStatistics {
  /** The terms of each word, by word key. */
  terms: ReadonlyMap<string, readonly string[]>
  /** The approximate number of documents with any term of a word, by word key. */
  documentFrequencies: ReadonlyMap<string, number>
  documents: number
  /** Terms per document. */
  averageLength: number
}

/** Identifies a word of a query: a term, its variants together, or a prefix. No term contains a space or asterisk. */
export function wordKey(terms: readonly string[], isPrefix: boolean): string {
  return isPrefix ? `${terms.join(' ')}*` : terms.join(' ')
}

export function validTerms(terms: readonly string[]): string[] {
  return terms.filter((term) => TERM_PATTERN.test(term))
}

export interface QueryWord {
  terms: string[]
  isPrefix: boolean
}

/** All words of a query, including excluded ones. Words of a phrase are listed separately. */
export function listQueryWords(node: QueryNode): QueryWord[] {
  switch (node.kind) {
    case 'not':
      return listQueryWords(node.part)
    case 'and':
    case 'or':
      return node.parts.flatMap(listQueryWords)
    case 'phrase':
    case 'near':
      return validTerms(node.terms).map((term) => ({ terms: [term], isPrefix: false }))
    case 'term': {
      const terms = validTerms(node.terms)
      return terms.length === 0 ? [] : [{ terms, isPrefix: node.isPrefix }]
    }
  }
}
