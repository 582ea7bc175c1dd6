// How much there is in the index. Counting takes a while when there is much, so it is not done at every question then.

import type { DatabaseSync } from 'node:sqlite'
import type { FacetCount, IndexFeed, IndexStatus, SearchIndex } from '../../ports/search.ts'
import { pragma } from './open.ts'

export interface StatusCache {
  /** The state of the file that was counted. */
  seen: number
  at: number
  tookMs: number
  counts: { documents: number; byLang: FacetCount[] } | null
}

const CHEAP_MS = 20
const REST_TIMES = 20
const RECENT_MS = 15_000

export function readStatus(db: DatabaseSync, now: number, cache: StatusCache): IndexStatus {
  const counts = countDocuments(db, cache)
  const row = db.prepare('select pages, since, at from progress').get()
  const [pages, since, at] = [Number(row?.['pages']), Number(row?.['since']), Number(row?.['at'])]
  const isRecent = now - at < RECENT_MS && at > since
  const pagesPerSecond = isRecent ? (pages * 1000) / (at - since) : 0
  const bytes = pragma(db, 'page_count') * pragma(db, 'page_size')
  return { ...counts, bytes, waiting: 0, lagMs: 0, pagesPerSecond }
}

function countDocuments(db: DatabaseSync, cache: StatusCache) {
  const seen = pragma(db, 'data_version')
  const startedAt = performance.now()
  const isResting = cache.tookMs > CHEAP_MS && startedAt - cache.at < REST_TIMES * cache.tookMs
  if (cache.counts !== null && (seen === cache.seen || isResting)) return cache.counts
  const byLang: FacetCount[] = []
  let documents = 0
  for (const row of db.prepare('select lang, count(*) as n from documents group by lang').all()) {
    documents += Number(row['n'])
    if (typeof row['lang'] === 'string') byLang.push({ key: row['lang'], count: Number(row['n']) })
  }
  byLang.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
  cache.counts = { documents, byLang }
  cache.seen = seen
  cache.at = performance.now()
  cache.tookMs = cache.at - startedAt
  return cache.counts
}

/** The status of the index with what the store knows of pages that wait. */
export function withLag(index: SearchIndex, lag: IndexFeed['lag']): SearchIndex {
  return {
    find: (query) => index.find(query),
    term: (term, limit) => index.term(term, limit),
    wordsFrom: (prefix, limit) => index.wordsFrom(prefix, limit),
    titlesFrom: (prefix, limit) => index.titlesFrom(prefix, limit),
    wordCounts: (words) => index.wordCounts(words),
    isIndexed: (pageId) => index.isIndexed(pageId),
    linkRanks: (crawlId, after, limit) => index.linkRanks(crawlId, after, limit),
    damage: () => index.damage(),
    status: async () => ({ ...(await index.status()), ...(await lag()) }),
  }
}
