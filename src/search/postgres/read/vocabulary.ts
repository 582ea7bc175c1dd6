// All terms of the index: terms with a prefix, and document counts of terms.

import { type FacetCount, MAX_PHRASE_COUNT, TERM_PATTERN } from '../../../ports/search.ts'
import type { Queryable } from '../../../store/postgres/query.ts'
import { quoteLexeme } from '../field-vectors.ts'
import { prefixUpperBound } from '../prefix-bound.ts'

const MAX_SCANNED_ROWS = 50_000
/** Documents with the terms of a phrase that are examined for it. */
const MAX_SCANNED_DOCUMENTS = 2000

const TERMS_FROM = {
  name: 'index_terms_from',
  text: `select term, sum(documents) as documents
    from (select term, documents from term_counts where term >= $1 and term < $2 limit ${MAX_SCANNED_ROWS}) as t
    group by term having sum(documents) > 0 order by sum(documents) desc, term limit $3`,
}
const COUNTS = {
  name: 'index_term_counts',
  text: `select (select coalesce(sum(documents), 0) from term_counts c where c.term = t.term) as documents
    from unnest($1::text[]) with ordinality as t (term, place) order by t.place`,
}
const PHRASES = {
  name: 'index_phrase_counts',
  text: `select (select count(*) from (select 1
      from (select terms from documents where terms @@ p.words limit ${MAX_SCANNED_DOCUMENTS}) as d
      where d.terms @@ p.phrase limit ${MAX_PHRASE_COUNT}) as matches) as documents
    from unnest($1::tsquery[], $2::tsquery[]) with ordinality as p (words, phrase, place) order by p.place`,
}

export async function readTermsFrom(db: Queryable, prefix: string, limit: number): Promise<FacetCount[]> {
  if (!TERM_PATTERN.test(prefix)) return []
  const { rows } = await db.query({ ...TERMS_FROM, values: [prefix, prefixUpperBound(prefix), limit] })
  return rows.map((row) => ({ key: String(row['term']), count: Number(row['documents']) }))
}

export async function countPhrases(
  db: Queryable,
  phrases: readonly string[][],
  maxOfTerm = MAX_PHRASE_COUNT,
): Promise<number[]> {
  const terms = [...new Set(phrases.flat())].filter((term) => TERM_PATTERN.test(term))
  const { rows } = await db.query({ ...COUNTS, values: [terms.map((term) => quoteLexeme(term).slice(1, -1))] })
  const counts = new Map(terms.map((term, i) => [term, Number(rows[i]?.['documents'])]))
  const rarest = phrases.map((phrase) => Math.min(maxOfTerm, ...phrase.map((term) => counts.get(term) ?? 0)))
  const examined = phrases.flatMap((phrase, i) => (phrase.length > 1 && (rarest[i] ?? 0) > 0 ? [i] : []))
  if (examined.length === 0) return rarest
  const join = (by: string) => examined.map((i) => (phrases[i] ?? []).map(quoteLexeme).join(by))
  const found = await db.query({ ...PHRASES, values: [join(' & '), join(' <-> ')] })
  for (const [n, i] of examined.entries()) rarest[i] = Number(found.rows[n]?.['documents'])
  return rarest
}
