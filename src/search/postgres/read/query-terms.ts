// Looks up the words of a query in the index: document frequencies, and the most common terms of prefixes.

import type { QueryNode } from '../../../ports/search.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { averageLength } from '../../rank/bm25.ts'
import { listQueryWords, validTerms, type WordStatistics, wordKey } from '../../rank/word-statistics.ts'
import { prefixUpperBound } from '../prefix-bound.ts'

const MAX_PREFIX_TERMS = 20
/** Limit on the scanned terms of a prefix: a single letter matches a large part of all terms. */
const MAX_SCANNED_ROWS = 20_000

const TOTALS = {
  name: 'index_totals',
  text: 'select coalesce(sum(documents), 0) as documents, coalesce(sum(terms), 0) as terms from index_counts',
}
const FREQUENCIES = {
  name: 'index_frequencies',
  text: 'select term, sum(documents) as documents from term_counts where term = any($1::text[]) group by term',
}
const TERMS_BY_PREFIX = {
  name: 'index_begun',
  text: `select term, sum(documents) as documents
    from (select term, documents from term_counts where term >= $1 and term < $2 limit ${MAX_SCANNED_ROWS}) as t
    group by term having sum(documents) > 0 order by sum(documents) desc, term limit ${MAX_PREFIX_TERMS}`,
}

export interface QueryTerms extends WordStatistics {
  /** Keys of prefixes that have more terms than are known. */
  truncated: ReadonlySet<string>
}

export async function readQueryTerms(db: Queryable, text: QueryNode): Promise<QueryTerms> {
  const words = listQueryWords(text)
  const prefixes = [...new Set(words.filter(({ isPrefix }) => isPrefix).flatMap(({ terms }) => terms))]
  const plain = [...new Set(words.filter(({ isPrefix }) => !isPrefix).flatMap(({ terms }) => terms))]
  const [totals, counted, ...expanded] = await Promise.all([
    db.query(TOTALS),
    db.query({ ...FREQUENCIES, values: [plain] }),
    ...prefixes.map((prefix) => db.query({ ...TERMS_BY_PREFIX, values: [prefix, prefixUpperBound(prefix)] })),
  ])
  const expansions = new Map(prefixes.map((prefix, i) => [prefix, expanded[i]?.rows ?? []]))
  const rows = [...counted.rows, ...[...expansions.values()].flat()]
  const frequencies = new Map(rows.map((row) => [String(row['term']), Number(row['documents'])]))
  const documents = Number(totals.rows[0]?.['documents'])
  const terms = new Map<string, readonly string[]>()
  const documentFrequencies = new Map<string, number>()
  const truncated = new Set<string>()
  for (const { terms: list, isPrefix } of words) {
    const key = wordKey(list, isPrefix)
    const found = isPrefix ? list.map((prefix) => expansions.get(prefix) ?? []) : []
    const all = isPrefix ? found.flat().map((row) => String(row['term'])) : list
    terms.set(key, all)
    // Documents with two variants count twice, which hardly changes the rarity.
    const sum = all.reduce((count, term) => count + (frequencies.get(term) ?? 0), 0)
    documentFrequencies.set(key, Math.min(documents, sum))
    if (found.some(({ length }) => length >= MAX_PREFIX_TERMS)) truncated.add(key)
  }
  const average = averageLength(Number(totals.rows[0]?.['terms']), documents)
  return { terms, documentFrequencies, truncated, documents, averageLength: average }
}

/** Upper bound on the number of matching documents. */
export function maxMatches(node: QueryNode, words: QueryTerms): number {
  const { documents, documentFrequencies } = words
  const frequencyOf = (terms: readonly string[], isPrefix: boolean) => {
    const key = wordKey(validTerms(terms), isPrefix)
    return words.truncated.has(key) ? documents : (documentFrequencies.get(key) ?? 0)
  }
  switch (node.kind) {
    case 'not':
      return documents
    case 'term':
      return frequencyOf(node.terms, node.isPrefix)
    case 'phrase':
    case 'near':
      return Math.min(...node.terms.map((term) => frequencyOf([term], false)))
    case 'and':
      return Math.min(...node.parts.map((part) => maxMatches(part, words)))
    case 'or': {
      const sum = node.parts.reduce((all, part) => all + maxMatches(part, words), 0)
      return Math.min(documents, sum)
    }
  }
}
