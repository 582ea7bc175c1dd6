// All terms of the index: those with a prefix, and how many documents contain some.

import type { DatabaseSync } from 'node:sqlite'
import { type FacetCount, MAX_PHRASE_COUNT } from '../../../ports/search.ts'
import { prefixUpperBound } from '../host-key.ts'
import { prepareCached } from '../prepare-cached.ts'
import { toFtsMatch } from './fts-match.ts'

/** Documents of the scanned terms; 50 ns each (2026-11). */
const MAX_SCANNED_DOCUMENTS = 400_000
/** A phrase of common terms is counted in this many of the newest documents. */
const SAMPLE = 4096

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

export function countPhrases(db: DatabaseSync, phrases: readonly string[][]): number[] {
  const all = prepareCached(
    db,
    `select count(*) as n from (select 1 from terms where terms match ? limit ${MAX_PHRASE_COUNT})`,
  )
  // FTS5 ignores a bound on rowid that is not an integer, hence the cast.
  const sampled = prepareCached(
    db,
    `select count(*) as n from (select 1 from terms where terms match ?
       and rowid >= cast((select min(id) from (select id from terms_docsize order by id desc limit ${SAMPLE})) as integer)
     limit ${MAX_PHRASE_COUNT})`,
  )
  const countTerm = (term: string) => countMatches(all, [term])
  return phrases.map((terms) => {
    const rarest = Math.min(...terms.map(countTerm))
    if (terms.length === 1 || rarest === 0) return rarest
    return countMatches(rarest < MAX_PHRASE_COUNT ? all : sampled, terms)
  })
}

function countMatches(statement: ReturnType<typeof prepareCached>, terms: string[]): number {
  const match = toFtsMatch({ kind: 'phrase', terms, field: null })
  return match === null ? 0 : Number(statement.get(match)?.['n'])
}
