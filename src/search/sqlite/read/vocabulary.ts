// All terms of the index: terms with a prefix, and document counts of terms.

import type { DatabaseSync } from 'node:sqlite'
import { type FacetCount, MAX_PHRASE_COUNT, TERM_PATTERN } from '../../../ports/search.ts'
import { prefixUpperBound } from '../host-key.ts'
import { prepareCached } from '../prepare-cached.ts'
import { toFtsMatch } from './fts-match.ts'
import { termCountsOf } from './term-counts.ts'

/** Documents of the scanned terms; 50 ns each (2026-11). */
const MAX_SCANNED_DOCUMENTS = 400_000

export function readTermsFrom(db: DatabaseSync, prefix: string, limit: number): FacetCount[] {
  const end = prefixUpperBound(prefix)
  // Two variants, because FTS5 scans term by term if the bound is not a plain comparison.
  const statement = prepareCached(
    db,
    `select term, doc from term_rows where term >= ?${end === null ? '' : ' and term < ?'}`,
  )
  const found: FacetCount[] = []
  let documents = 0
  for (const { term, doc } of statement.iterate(prefix, ...(end === null ? [] : [end]))) {
    found.push({ key: String(term), count: Number(doc) })
    documents += Number(doc)
    if (documents > MAX_SCANNED_DOCUMENTS) break
  }
  return found.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, limit)
}

export function countPhrases(db: DatabaseSync, phrases: readonly string[][], maxOfTerm = MAX_PHRASE_COUNT): number[] {
  const counts = termCountsOf(db)
  const countTerm = (term: string) => (TERM_PATTERN.test(term) ? counts.countUpTo(term, MAX_PHRASE_COUNT) : 0)
  return phrases.map((terms) => {
    const [only] = terms
    if (terms.length === 1 && only !== undefined && maxOfTerm > MAX_PHRASE_COUNT)
      return TERM_PATTERN.test(only) ? Math.min(counts.count(only), maxOfTerm) : 0
    const rarest = Math.min(...terms.map(countTerm))
    if (terms.length === 1 || rarest === 0) return rarest
    return countMatches(db, terms, rarest < MAX_PHRASE_COUNT)
  })
}

/** Counts in all documents, or in the newest. */
function countMatches(db: DatabaseSync, terms: string[], isInAll: boolean): number {
  const match = toFtsMatch({ kind: 'phrase', terms, field: null })
  if (match === null) return 0
  // FTS5 ignores a bound on rowid that is not an integer, hence the cast.
  const statement = prepareCached(
    db,
    `select count(*) as n from (select 1 from terms where terms match ? and rowid >= cast(? as integer)
     limit ${MAX_PHRASE_COUNT})`,
  )
  return Number(statement.get(match, isInAll ? 0 : termCountsOf(db).sampleStart)?.['n'])
}
