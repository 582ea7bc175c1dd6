// The index of a cluster: tables beside those of the store, in the same database.

import type { Clock } from '../../lib/clock.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { STATEMENT_MS } from '../../store/postgres/connect.ts'
import { looking } from '../../store/postgres/connections.ts'
import { Database } from '../../store/postgres/database.ts'
import type { Queryable } from '../../store/postgres/query.ts'
import { Time } from '../../store/postgres/time.ts'
import { LIMITS, type Limits } from './candidates.ts'
import { openIndexPool } from './connect.ts'
import { PostgresFeed } from './feed.ts'
import { find } from './find.ts'
import { linkRanks } from './ranks.ts'
import { readStatus } from './status.ts'
import { termEntry } from './term-entry.ts'
import { titlesFrom, wordCounts, wordsFrom } from './words.ts'

export interface IndexOptions {
  clock: Clock
  /** The clock counts in place of the database's: for tests that move it. */
  isClockVirtual: boolean
}

export interface FeedOptions extends IndexOptions {
  random: () => number
  /** Told when the database goes away, with a sentence, and with null when it is back. */
  onAway: (problem: string | null) => void
}

const FIND_CONNECTIONS = 4
/** One for the batch that is under way, and some for what comes in between. */
const FEED_CONNECTIONS = 4
const IS_INDEXED = { name: 'index_is_indexed', text: 'select 1 from documents where page = $1' }

export interface IndexLimits extends Limits {
  /** A statement that takes longer is given up, and the query with it. */
  statementMs: number
}

export const INDEX_LIMITS: IndexLimits = { ...LIMITS, statementMs: 5_000 }

/** The tables are there: whoever opens the store makes them. */
export async function openIndex(
  url: string,
  options: IndexOptions,
  limits: IndexLimits = INDEX_LIMITS,
): Promise<SearchIndex & { close(): Promise<void> }> {
  const { statementMs } = limits
  const pool = openIndexPool(url, { max: FIND_CONNECTIONS, name: 'orbweaver search', statementMs })
  const db = await looking(pool, url)
  return { ...indexOn(db, new Time(options.clock, options.isClockVirtual), limits), close: () => pool.end() }
}

function indexOn(db: Queryable, time: Time, limits: Limits): SearchIndex {
  return {
    find: (query) => find(db, query, limits),
    term: (term, limit) => termEntry(db, term, limit),
    wordsFrom: (prefix, limit) => wordsFrom(db, prefix, limit),
    titlesFrom: (prefix, limit) => titlesFrom(db, prefix, limit),
    wordCounts: (words) => wordCounts(db, words),
    isIndexed: async (pageId) => (await db.query({ ...IS_INDEXED, values: [pageId] })).rows.length > 0,
    linkRanks: (crawlId, after, limit) => linkRanks(db, crawlId, { after, limit }),
    // Terms and text are in the row of their document, and the server looks after its files.
    damage: async () => [],
    status: () => readStatus(db, time),
  }
}

export function openFeed(
  url: string,
  options: FeedOptions,
): { feed: PostgresFeed; db: Database; close(): Promise<void> } {
  const { clock, isClockVirtual, random, onAway } = options
  const pool = openIndexPool(url, { max: FEED_CONNECTIONS, name: 'orbweaver indexer', statementMs: STATEMENT_MS })
  const db = new Database(pool, { url, random, onAway })
  const feed = new PostgresFeed({ db, time: new Time(clock, isClockVirtual), url })
  return {
    feed,
    db,
    async close() {
      feed.close()
      await db.close()
    },
  }
}
