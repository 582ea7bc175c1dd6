// Queries of several kinds from the titles and words of an index. The same index yields the same queries.

import type { DatabaseSync } from 'node:sqlite'

const WORD = /[a-z]{3,}/g

export function makeFolderQueries(db: DatabaseSync, perKind: number): Record<string, string[]> {
  const titles = db
    .prepare('select title from documents order by page_id')
    .all()
    .map(({ title }) => String(title).toLowerCase().match(WORD) ?? [])
    .filter(({ length }) => length >= 3)
  const words = db
    .prepare(`select word, documents from words where length(word) > 3 and word glob '[a-z]*' order by word`)
    .all()
    .map((row) => ({ word: String(row['word']), documents: Number(row['documents']) }))
  const share = Number(db.prepare('select documents from totals').get()?.['documents']) / 20
  const common = words.filter(({ documents }) => documents > share).map(({ word }) => word)
  const rarer = words.filter(({ documents }) => documents <= share && documents > share / 50).map(({ word }) => word)
  const pick = <T>(list: readonly T[], n: number): T => {
    const one = list[(n * STRIDE) % list.length]
    if (one === undefined) throw new Error('The pages have too few words or titles.')
    return one
  }
  const make = (toQuery: (n: number) => string) => Array.from({ length: perKind }, (_, n) => toQuery(n))
  const ofTitle = (n: number, length: number) => pick(titles, n).slice(0, length).join(' ')
  const question = (n: number) =>
    Array.from({ length: 5 }, (_, i) => `${ofTitle(5 * n + i, 2)} ${pick(rarer, 5 * n + i)}`)
  return {
    'a word': make((n) => pick(rarer, n)),
    'a common word': make((n) => pick(common, n)),
    'two words of a title': make((n) => ofTitle(n, 2)),
    'three words of a title': make((n) => ofTitle(n, 3)),
    'three common words': make((n) => [0, 1, 2].map((i) => pick(common, 3 * n + i)).join(' ')),
    'a phrase': make((n) => `"${ofTitle(n, 2)}"`),
    'a prefix': make((n) => `${pick(rarer, n).slice(0, 4)}*`),
    'one of two': make((n) => `${pick(rarer, n)} OR ${pick(common, n)}`),
    'a word with a filter': make((n) => `${pick(rarer, n)} size:>2000`),
    'a word not another': make((n) => `${pick(common, n)} -${pick(rarer, n)}`),
    'a misspelt word': make((n) => pick(rarer, n).replace(/^(...)./, '$1')),
    'fifteen words': make((n) => question(n).join(' ')),
  }
}

/** A prime, so that the picks are spread over a list. */
const STRIDE = 7919
