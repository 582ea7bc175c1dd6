// Words and titles for suggestions.

import type { DatabaseSync } from 'node:sqlite'
import type { FacetCount } from '../../../ports/search.ts'
import { prefixUpperBound } from '../host-key.ts'
import { prepareCached } from '../prepare-cached.ts'

const MAX_TITLE_KEY = 100
/** A short prefix matches many words; the most common of this many are good enough. */
const MAX_WORDS = 50_000

export function suggestWords(db: DatabaseSync, prefix: string, limit: number): FacetCount[] {
  const end = prefixUpperBound(prefix)
  const rows = prepareCached(
    db,
    `select word, documents from (select word, documents from words where word >= ?1 and (?2 is null or word < ?2) limit ${MAX_WORDS})
       order by documents desc, word limit ?3`,
  ).all(prefix, end, limit)
  return rows.map((row) => ({ key: String(row['word']), count: Number(row['documents']) }))
}

/** Titles are found by their start in lower case. */
export function titleKey(title: string): string {
  return title.slice(0, MAX_TITLE_KEY).toLowerCase()
}

export function suggestTitles(db: DatabaseSync, prefix: string, limit: number): string[] {
  const start = titleKey(prefix)
  const rows = prepareCached(
    db,
    `select d.title from titles t join documents d on d.page_id = t.page_id
       where t.start >= ?1 and (?2 is null or t.start < ?2) and t.start <> '' group by t.start limit ?3`,
  ).all(start, prefixUpperBound(start), limit)
  return rows.map((row) => String(row['title']))
}
