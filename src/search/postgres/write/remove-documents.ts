// Removes documents, and subtracts them from the counters.

import type { Queryable } from '../../../store/postgres/query.ts'

/** $1 is the slot, $2 the URL keys. */
const REMOVE = {
  name: 'index_remove',
  text: `with gone as (delete from documents where url_key = any($2::uuid[]) returning lang, length, terms),
    counted as (insert into index_counts as c (slot, lang, documents, terms)
      select $1::smallint, coalesce(lang, ''), -count(*), -sum(length) from gone group by lang order by lang
      on conflict (slot, lang) do update set documents = c.documents + excluded.documents, terms = c.terms + excluded.terms)
    insert into term_counts as c (term, slot, documents)
      select t.term, $1::smallint, -count(*) from gone, unnest(tsvector_to_array(gone.terms)) as t (term)
      group by t.term order by t.term
      on conflict (term, slot) do update set documents = c.documents + excluded.documents`,
}

/** The URLs must be locked. */
export async function removeDocuments(tx: Queryable, slot: number, urlKeys: string[]): Promise<void> {
  if (urlKeys.length > 0) await tx.query({ ...REMOVE, values: [slot, urlKeys] })
}
