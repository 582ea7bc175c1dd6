// Words and titles for suggestions.

import type { FacetCount } from '../../../ports/search.ts'
import { type Queryable, toPostgresText } from '../../../store/postgres/query.ts'
import { prefixUpperBound } from '../prefix-bound.ts'

/** Limit on the scanned words: a single letter matches a large part of all words. */
const MAX_SCANNED_ROWS = 20_000
/** Titles are found by their start. */
const TITLE_KEY_LENGTH = 100

const WORDS = {
  name: 'index_words_from',
  text: `select word, sum(documents) as documents
    from (select word, documents from word_counts where word >= $1 and word < $2 limit ${MAX_SCANNED_ROWS}) as w
    group by word order by sum(documents) desc, word limit $3`,
}
const TITLES = {
  name: 'index_titles_from',
  text: `select title from (select title, title_key from documents where title_key >= $1 and title_key < $2
      order by title_key limit ${MAX_SCANNED_ROWS}) as t
    group by title order by count(*) desc, title limit $3`,
}

export async function suggestWords(db: Queryable, prefix: string, limit: number): Promise<FacetCount[]> {
  const start = toPostgresText(prefix)
  const { rows } = await db.query({ ...WORDS, values: [start, prefixUpperBound(start), limit] })
  return rows.map((row) => ({ key: String(row['word']), count: Number(row['documents']) }))
}

export async function suggestTitles(db: Queryable, prefix: string, limit: number): Promise<string[]> {
  const start = titleKey(prefix)
  const { rows } = await db.query({ ...TITLES, values: [start, prefixUpperBound(start), limit] })
  return rows.map((row) => String(row['title']))
}

export function titleKey(title: string): string {
  return toPostgresText(title).toLowerCase().slice(0, TITLE_KEY_LENGTH)
}
