// The index in OpenSearch or Elasticsearch. The store is a Postgres database, which has the queue of pages, anchors, link
// ranks and a short row for each document; the engine has everything that searches read.

import {
  parseSearchUrl,
  SEARCH_URL_EXAMPLE,
  type SearchLocation,
  withEnvironment,
} from '../../config/values/search-url.ts'
import { AppError } from '../../lib/errors.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { TERM_PATTERN } from '../../ports/search.ts'
import { openReadOnly } from '../../store/postgres/connections.ts'
import type { Queryable } from '../../store/postgres/query.ts'
import { StoreClock } from '../../store/postgres/store-clock.ts'
import { openIndexPool } from '../postgres/connect.ts'
import { type FeedOptions, type IndexOptions, openFeed } from '../postgres/open.ts'
import { readStatus } from '../postgres/read/status.ts'
import { readLinkRanks } from '../postgres/write/link-ranks.ts'
import { SearchClient } from './client.ts'
import { Indices } from './indices.ts'
import { CANDIDATE_LIMITS, type CandidateLimits } from './read/candidates.ts'
import { findDamage } from './read/find-damage.ts'
import { findHits } from './read/find-hits.ts'
import { findByPrefix } from './read/prefix-terms.ts'
import { countPhrases, readTermEntry, suggestTitles } from './read/vocabulary.ts'
import { EngineSink } from './write/engine-sink.ts'
import { assertInEngine } from './write/engine-state.ts'

export interface EngineAddress {
  /** URL of the store. */
  url: string
  /** The value of --search. */
  search: string
  env: Readonly<Record<string, string | undefined>>
}

const READ_CONNECTIONS = 2
const READ_STATEMENT_MS = 5000
/** A person waits, but an overloaded node must not fail every search. */
const SEARCHING = { idleMs: 30_000, attempts: 2 }
/**
 * A node that restarts is back soon; otherwise the batch is handed out again later. All attempts together take less than
 * Postgres lets a transaction wait.
 */
const WRITING = { idleMs: 45_000, attempts: 5 }
const IS_INDEXED = { name: 'index_is_indexed', text: 'select 1 from documents where page = $1' }

export async function openEngineIndex(
  { url, search, env }: EngineAddress,
  options: IndexOptions,
  limits: CandidateLimits = CANDIDATE_LIMITS,
): Promise<SearchIndex & { close(): Promise<void> }> {
  const location = locate(search, env)
  const pool = openIndexPool(url, { max: READ_CONNECTIONS, name: 'orbweaver search', statementMs: READ_STATEMENT_MS })
  const db = await openReadOnly(pool, url)
  const client = new SearchClient(location, SEARCHING)
  await assertInEngine(db)
  const storeClock = new StoreClock(options.clock, options.isClockVirtual)
  return {
    ...indexOn({ client, indices: new Indices(client, location), db, storeClock, limits }),
    async close() {
      client.close()
      await pool.end()
    },
  }
}

interface ReadDependencies {
  client: SearchClient
  indices: Indices
  db: Queryable
  storeClock: StoreClock
  limits: CandidateLimits
}

function indexOn({ client, indices, db, storeClock, limits }: ReadDependencies): SearchIndex {
  return {
    find: (query) => findHits(client, query, limits),
    term: (term, limit) => readTermEntry(client, term, limit),
    wordsFrom: (prefix, limit) => findByPrefix(client, { field: 'words', prefix, limit }),
    titlesFrom: (prefix, limit) => suggestTitles(client, prefix, limit),
    termsFrom: async (prefix, limit) =>
      TERM_PATTERN.test(prefix) ? findByPrefix(client, { field: 'terms', prefix, limit }) : [],
    phraseCounts: (phrases, maxOfTerm) => countPhrases(client, phrases, maxOfTerm),
    isIndexed: async (pageId) => (await db.query({ ...IS_INDEXED, values: [pageId] })).rows.length > 0,
    linkRanks: (crawlId, after, limit) => readLinkRanks(db, crawlId, { after, limit }),
    findDamage: () => findDamage(client, indices, db),
    async status() {
      const [status, bytes] = await Promise.all([readStatus(db, storeClock), indices.bytes()])
      return { ...status, bytes: status.bytes + bytes }
    },
  }
}

export function openEngineFeed({ url, search, env }: EngineAddress, options: FeedOptions): ReturnType<typeof openFeed> {
  const location = locate(search, env)
  const client = new SearchClient(location, WRITING)
  const indices = new Indices(client, location)
  const opened = openFeed(url, options, (db) => new EngineSink({ client, indices, db }))
  return {
    ...opened,
    async close() {
      await opened.close()
      client.close()
    },
  }
}

function locate(search: string, env: EngineAddress['env']): SearchLocation {
  const location = parseSearchUrl(search)
  if (location === null) throw new AppError('BAD_CONFIG', `--search is not ${SEARCH_URL_EXAMPLE}.`)
  return withEnvironment(location, env)
}
