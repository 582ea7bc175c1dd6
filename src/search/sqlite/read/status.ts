// The size and the indexing rate of the index.

import type { DatabaseSync } from 'node:sqlite'
import type { IndexFeed } from '../../../ports/index-feed.ts'
import type { IndexStatus, SearchIndex } from '../../../ports/search.ts'
import { pragma } from '../open.ts'
import { prepareCached } from '../prepare-cached.ts'

const RECENT_MS = 15_000

export function readStatus(db: DatabaseSync, now: number): IndexStatus {
  const documents = Number(prepareCached(db, 'select documents from totals').get()?.['documents'])
  const rows = prepareCached(
    db,
    `select lang, documents from languages where lang <> '' and documents > 0 order by documents desc, lang`,
  ).all()
  const byLang = rows.map((row) => ({ key: String(row['lang']), count: Number(row['documents']) }))
  const row = prepareCached(db, 'select pages, since, at from progress').get()
  const [pages, since, at] = [Number(row?.['pages']), Number(row?.['since']), Number(row?.['at'])]
  const isRecent = now - at < RECENT_MS && at > since
  const pagesPerSecond = isRecent ? (pages * 1000) / (at - since) : 0
  const bytes = pragma(db, 'page_count') * pragma(db, 'page_size')
  return { documents, byLang, bytes, waiting: 0, lagMs: 0, pagesPerSecond }
}

/** Adds the lag, which only the store knows, to the status of the index. */
export function withLag(index: SearchIndex, lag: IndexFeed['lag']): SearchIndex {
  return {
    find: (query) => index.find(query),
    term: (term, limit) => index.term(term, limit),
    wordsFrom: (prefix, limit) => index.wordsFrom(prefix, limit),
    titlesFrom: (prefix, limit) => index.titlesFrom(prefix, limit),
    termsFrom: (prefix, limit) => index.termsFrom(prefix, limit),
    phraseCounts: (phrases, maxOfTerm) => index.phraseCounts(phrases, maxOfTerm),
    isIndexed: (pageId) => index.isIndexed(pageId),
    linkRanks: (crawlId, after, limit) => index.linkRanks(crawlId, after, limit),
    findDamage: () => index.findDamage(),
    status: async () => ({ ...(await index.status()), ...(await lag()) }),
  }
}
