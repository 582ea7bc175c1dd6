// Words and titles for suggestions.

import type { FacetCount } from '../../ports/search.ts'
import { plainText, type Queryable } from '../../store/postgres/query.ts'
import { above } from './prefix.ts'

/** Rows that are looked at for the commonest: a letter alone begins a good part of all. */
const MAX_LOOKED_AT = 20_000
/** Titles are known by their beginning. */
const TITLE_KEY_LENGTH = 100

const WORDS = {
  name: 'index_words_from',
  text: `select word, sum(documents) as documents
    from (select word, documents from word_counts where word >= $1 and word < $2 limit ${MAX_LOOKED_AT}) as w
    group by word order by sum(documents) desc, word limit $3`,
}
const COUNTS = {
  name: 'index_word_counts',
  text: `select (select coalesce(sum(documents), 0) from word_counts c where c.word = w.word) as documents
    from unnest($1::text[]) with ordinality as w (word, place) order by w.place`,
}
const TITLES = {
  name: 'index_titles_from',
  text: `select title from (select title, title_key from documents where title_key >= $1 and title_key < $2
      order by title_key limit ${MAX_LOOKED_AT}) as t
    group by title order by count(*) desc, title limit $3`,
}

export async function wordsFrom(db: Queryable, prefix: string, limit: number): Promise<FacetCount[]> {
  const start = plainText(prefix)
  const { rows } = await db.query({ ...WORDS, values: [start, above(start), limit] })
  return rows.map((row) => ({ key: String(row['word']), count: Number(row['documents']) }))
}

export async function wordCounts(db: Queryable, words: string[]): Promise<number[]> {
  const { rows } = await db.query({ ...COUNTS, values: [words.map(plainText)] })
  return rows.map((row) => Number(row['documents']))
}

export async function titlesFrom(db: Queryable, prefix: string, limit: number): Promise<string[]> {
  const start = titleKey(prefix)
  const { rows } = await db.query({ ...TITLES, values: [start, above(start), limit] })
  return rows.map((row) => String(row['title']))
}

export function titleKey(title: string): string {
  return plainText(title).toLowerCase().slice(0, TITLE_KEY_LENGTH)
}
