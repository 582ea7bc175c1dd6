// The index of a cluster: tables next to the tables of the store, in the same database.

import type { Clock } from '../../lib/clock.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { STATEMENT_MS } from '../../store/postgres/connect.ts'
import { openReadOnly } from '../../store/postgres/connections.ts'
import { Database } from '../../store/postgres/database.ts'
import type { Queryable } from '../../store/postgres/query.ts'
import { StoreClock } from '../../store/postgres/store-clock.ts'
import { openIndexPool } from './connect.ts'
import { CANDIDATE_LIMITS, type CandidateLimits } from './read/candidates.ts'
import { findHits } from './read/find-hits.ts'
import { readStatus } from './read/status.ts'
import { suggestTitles, suggestWords } from './read/suggestions.ts'
import { readTermEntry } from './read/term-entry.ts'
import { countPhrases, readTermsFrom } from './read/vocabulary.ts'
import { assertInTables } from './search-engine.ts'
import type { DocumentSink } from './write/document-sink.ts'
import { PostgresFeed } from './write/feed.ts'
import { readLinkRanks } from './write/link-ranks.ts'

export interface IndexOptions {
  clock: Clock
  /** Use the given clock instead of the database's, for tests. */
  isClockVirtual: boolean
}

export interface FeedOptions extends IndexOptions {
  random: () => number
  /** Called with a message when the database becomes unreachable, and with null when it is back. */
  onOutage: (problem: string | null) => void
}

export type OpenSink = (db: Database) => DocumentSink

const FIND_CONNECTIONS = 4
/** One connection for the current batch, and some for other calls. */
const FEED_CONNECTIONS = 4
const IS_INDEXED = { name: 'index_is_indexed', text: 'select 1 from documents where page = $1' }

export interface IndexLimits extends CandidateLimits {
  /** A statement that takes longer is cancelled, and its query fails. */
  statementMs: number
}

export const INDEX_LIMITS: IndexLimits = { ...CANDIDATE_LIMITS, statementMs: 5_000 }

/** The tables exist: opening the store creates them. */
export async function openIndex(
  url: string,
  options: IndexOptions,
  limits: IndexLimits = INDEX_LIMITS,
): Promise<SearchIndex & { close(): Promise<void> }> {
  const { statementMs } = limits
  const pool = openIndexPool(url, { max: FIND_CONNECTIONS, name: 'orbweaver search', statementMs })
  const db = await openReadOnly(pool, url)
  await assertInTables(db)
  return { ...indexOn(db, new StoreClock(options.clock, options.isClockVirtual), limits), close: () => pool.end() }
}

function indexOn(db: Queryable, storeClock: StoreClock, candidateLimits: CandidateLimits): SearchIndex {
  return {
    find: (query) => findHits(db, query, candidateLimits),
    term: (term, limit) => readTermEntry(db, term, limit),
    wordsFrom: (prefix, limit) => suggestWords(db, prefix, limit),
    titlesFrom: (prefix, limit) => suggestTitles(db, prefix, limit),
    termsFrom: (prefix, limit) => readTermsFrom(db, prefix, limit),
    phraseCounts: (phrases, maxOfTerm) => countPhrases(db, phrases, maxOfTerm),
    isIndexed: async (pageId) => (await db.query({ ...IS_INDEXED, values: [pageId] })).rows.length > 0,
    linkRanks: (crawlId, after, limit) => readLinkRanks(db, crawlId, { after, limit }),
    // Terms and text are in the row of the document, and the server takes care of its files.
    findDamage: async () => [],
    status: () => readStatus(db, storeClock),
  }
}

export function openFeed(
  url: string,
  options: FeedOptions,
  openSink: OpenSink | null = null,
): { feed: PostgresFeed; db: Database; sink: DocumentSink | null; close(): Promise<void> } {
  const { clock, isClockVirtual, random, onOutage } = options
  const pool = openIndexPool(url, { max: FEED_CONNECTIONS, name: 'orbweaver indexer', statementMs: STATEMENT_MS })
  const db = new Database(pool, { url, random, onOutage: onOutage })
  const sink = openSink === null ? null : openSink(db)
  const feed = new PostgresFeed({ db, time: new StoreClock(clock, isClockVirtual), url, sink })
  return {
    feed,
    db,
    sink,
    async close() {
      feed.close()
      await db.close()
    },
  }
}
