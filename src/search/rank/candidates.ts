import type { Field } from '../../ports/search.ts'

/** The documents that a database or a search engine found for a query, before they are sorted. */
export interface Candidates<T> {
  ranked: T[]
  total: number
  isTotalExact: boolean
  /** Documents that match the whole query. */
  fullMatches: number
  /** Scores by field, for documents in `ranked`. */
  explain(pageId: number): Partial<Record<Field, number>>
}

export const NO_CANDIDATES: Candidates<never> = {
  ranked: [],
  total: 0,
  isTotalExact: true,
  fullMatches: 0,
  explain: () => ({}),
}
