// The entry of a term in the inverted index.

import { FIELDS, type Field, TERM_PATTERN, type TermEntry } from '../../../ports/search.ts'
import type { Queryable, Row } from '../../../store/postgres/query.ts'
import { FIELD_PLACES, NO_POSITION, quoteLexeme } from '../field-vectors.ts'

/** Documents scanned to find those with the highest frequency. */
const MAX_SCANNED_DOCUMENTS = 2000

const SIZE = {
  name: 'index_term_size',
  text: `select (select coalesce(sum(documents), 0) from term_counts where term = $1) as frequency,
    (select coalesce(sum(documents), 0) from index_counts) as documents`,
}
const ENTRIES = {
  name: 'index_term_entries',
  text: `select f.page, d.url, d.starts, f.frequency, v.vector, u.positions, u.weights::text[] as labels
    from (select page, url_key, occurrences(terms, $1::tsquery, '{1,1,1,1}') as frequency
        from (select * from documents where terms @@ $1::tsquery limit ${MAX_SCANNED_DOCUMENTS}) as few
        order by frequency desc, page limit $3) as f
      join documents d on d.url_key = f.url_key
      cross join lateral (values ('all', d.terms), ('small', d.others)) as v (vector, value)
      cross join lateral unnest(v.value) as u
    where u.lexeme = $2
    order by f.frequency desc, f.page`,
}

export async function readTermEntry(db: Queryable, term: string, limit: number): Promise<TermEntry | null> {
  if (!TERM_PATTERN.test(term)) return null
  const word = quoteLexeme(term)
  const [size, { rows }] = await Promise.all([
    db.query({ ...SIZE, values: [word.slice(1, -1)] }),
    db.query({ ...ENTRIES, values: [word, word.slice(1, -1), limit] }),
  ])
  if (rows.length === 0) return null
  const entries = new Map<number, TermEntry['entries'][number]>()
  for (const row of rows) {
    const pageId = Number(row['page'])
    const known = entries.get(pageId)
    const entry = known ?? { pageId, url: String(row['url']), frequency: Number(row['frequency']), positions: {} }
    entries.set(pageId, { ...entry, positions: { ...entry.positions, ...positionsIn(row) } })
  }
  const [sums] = size.rows
  return {
    term,
    documentFrequency: Number(sums?.['frequency']),
    documents: Number(sums?.['documents']),
    entries: [...entries.values()],
  }
}

/** Positions in the fields that the vector of this row contains. */
function positionsIn(row: Row): Partial<Record<Field, number[]>> {
  const [positions, labels, starts] = [row['positions'], row['labels'], row['starts']] as [number[], string[], number[]]
  return Object.fromEntries(
    FIELDS.flatMap((field, i) => {
      const { vector, label } = FIELD_PLACES[field]
      if (vector !== row['vector']) return []
      const positionsInField = positions.filter((at, j) => labels[j] === label && at !== NO_POSITION)
      return positionsInField.length === 0 ? [] : [[field, positionsInField.map((at) => at - (starts[i] ?? 0))]]
    }),
  )
}
