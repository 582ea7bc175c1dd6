// Statistics over the whole index that ranking needs: the number and length of documents, and document frequencies.

import { type QueryNode, TERM_PATTERN } from '../../../ports/search.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import type { QueryLeaf } from '../../query/query-leaves.ts'
import { prefixUpperBound } from '../prefix-bound.ts'

export interface CorpusStatistics {
  documents: number
  /** Over all documents. */
  totalTerms: number
  /** Number of documents with the term. */
  documentFrequencies: ReadonlyMap<string, number>
  /** The most common terms by prefix. */
  termsByPrefix: ReadonlyMap<string, string[]>
}

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

export async function readCorpusStatistics(db: Queryable, leaves: QueryLeaf[]): Promise<CorpusStatistics> {
  const plain = leaves.filter(({ isPrefix }) => !isPrefix).flatMap(({ terms }) => terms)
  const prefixes = leaves.filter(({ isPrefix }) => isPrefix).flatMap(({ terms }) => terms)
  const [totals, found, ...begun] = await Promise.all([
    db.query(TOTALS),
    db.query({ ...FREQUENCIES, values: [[...new Set(plain)]] }),
    ...prefixes
      .filter((prefix) => TERM_PATTERN.test(prefix))
      .map(async (prefix) => {
        const { rows } = await db.query({ ...TERMS_BY_PREFIX, values: [prefix, prefixUpperBound(prefix)] })
        return { prefix, rows }
      }),
  ])
  const counted = [...found.rows, ...begun.flatMap(({ rows }) => rows)]
  return {
    documents: Number(totals.rows[0]?.['documents']),
    totalTerms: Number(totals.rows[0]?.['terms']),
    documentFrequencies: new Map(counted.map((row) => [String(row['term']), Number(row['documents'])])),
    termsByPrefix: new Map(begun.map(({ prefix, rows }) => [prefix, rows.map((row) => String(row['term']))])),
  }
}

/** Upper bound on the number of matching documents. */
export function maxMatches(node: QueryNode | null, corpusStatistics: CorpusStatistics): number {
  const { documents, documentFrequencies, termsByPrefix } = corpusStatistics
  const having = (term: string) => documentFrequencies.get(term) ?? 0
  const most = (part: QueryNode): number => {
    switch (part.kind) {
      case 'not':
        return documents
      case 'term': {
        const isCut =
          part.isPrefix && part.terms.some((term) => (termsByPrefix.get(term)?.length ?? 0) >= MAX_PREFIX_TERMS)
        if (isCut) return documents
        return sum(part.terms.flatMap((term) => (part.isPrefix ? (termsByPrefix.get(term) ?? []) : [term])).map(having))
      }
      case 'phrase':
      case 'near':
        return Math.min(...part.terms.map(having))
      case 'and':
        return Math.min(...part.parts.map(most))
      case 'or':
        return sum(part.parts.map(most))
    }
  }
  return node === null ? documents : Math.min(documents, most(node))
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
