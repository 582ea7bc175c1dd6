// Counts words as people write them. A document that replaces another only adds words that no document had, because the
// words of the other are no longer known.

import { type Queryable, toPostgresText } from '../../../store/postgres/query.ts'
import type { DocumentWrite } from './documents.ts'

const COUNT = {
  name: 'index_count_words',
  text: `insert into word_counts as c (word, slot, documents)
    select w.word, $1::smallint, w.documents from unnest($2::text[], $3::bigint[]) as w (word, documents) order by w.word
    on conflict (word, slot) do update set documents = c.documents + excluded.documents`,
}
const ADD = {
  name: 'index_add_words',
  text: `insert into word_counts (word, slot, documents)
    select w.word, $1::smallint, 1 from unnest($2::text[]) as w (word)
    where not exists (select 1 from word_counts c where c.word = w.word) order by w.word
    on conflict (word, slot) do nothing`,
}

/** The maximum length of a key, and longer than any word. */
const MAX_WORD = 100

export async function addWordCounts(tx: Queryable, slot: number, written: DocumentWrite[]): Promise<void> {
  const counts = new Map<string, number>()
  for (const word of distinctWords(written.filter(({ isNew }) => isNew))) counts.set(word, (counts.get(word) ?? 0) + 1)
  if (counts.size > 0) await tx.query({ ...COUNT, values: [slot, [...counts.keys()], [...counts.values()]] })
  const others = new Set(distinctWords(written.filter(({ isNew }) => !isNew)))
  if (others.size > 0) await tx.query({ ...ADD, values: [slot, [...others]] })
}

/** Every word once per document. */
function distinctWords(written: DocumentWrite[]): string[] {
  return written.flatMap(({ document }) => [
    ...new Set(document.words.map((word) => toPostgresText(word).slice(0, MAX_WORD).toWellFormed())),
  ])
}
