// Fills the index. A batch is a transaction from `take` to `finish`: its queue rows stay locked until then and are
// deleted at the end, so that a page is indexed exactly once, whatever happens. Any number of processes may run
// concurrently.

import { AppError } from '../../../lib/errors.ts'
import type { Crawl } from '../../../ports/crawls.ts'
import type {
  AnchorText,
  FeedBatch,
  FeedOutcome,
  IndexFeed,
  LinkBatch,
  PageResult,
  TakeOptions,
} from '../../../ports/index-feed.ts'
import type { LinkRank } from '../../../ports/search.ts'
import { pagesToIndex } from '../../../store/pages/postgres.ts'
import type { Database } from '../../../store/postgres/database.ts'
import { INDEX_TABLES } from '../../../store/postgres/index-tables.ts'
import { type Connection, type Queryable, withoutTimeout } from '../../../store/postgres/query.ts'
import type { StoreClock } from '../../../store/postgres/store-clock.ts'
import { storeError } from '../../../store/postgres/store-errors.ts'
import { hostOf } from '../../url-parts.ts'
import { assertInTables } from '../search-engine.ts'
import { addAnchors, findUrlsToReindex } from './anchors.ts'
import { acquireCounterSlot, lockBatchEnd } from './counter-slot.ts'
import type { DocumentSink } from './document-sink.ts'
import { finishBatch } from './finish-batch.ts'
import { readHostCounts } from './host-counts.ts'
import {
  claimQueued,
  claimUnreadLinks,
  deleteQueued,
  enqueueAll,
  type QueuedPage,
  readLag,
  recordReadLinks,
  requeueUrls,
} from './index-queue.ts'
import { deleteSomeOtherRanks, recordRanked, SINK_RANKS_AT_ONCE, saveRanks, visitedWhenRanked } from './link-ranks.ts'
import { loadFeedPages } from './load-feed-pages.ts'
import { claimBatch, type LoadBatch, type OpenBatch } from './open-batch.ts'
import { dropStaleDocuments, FIRST_KEY, findStaleDocuments, updateExpiry } from './stale-documents.ts'

export interface FeedDependencies {
  db: Database
  time: StoreClock
  url: string
  /** Has the documents, if they are not in the tables. */
  sink: DocumentSink | null
}

/**
 * One or two seconds of work: other indexers wait for the hosts of the batch, and the work is lost if the process
 * exits.
 */
const MAX_PAGES = 512
/** Ranks belong to the link graph, not to the text, so they outlive the documents. */
const RANK_TABLES: readonly string[] = ['document_ranks', 'ranked_crawls', 'url_ranks']
const CLEARED = INDEX_TABLES.filter((table) => !RANK_TABLES.includes(table))

/**
 * Searches read the terms that are waiting to be merged one by one. Without this statement, autovacuum merges them
 * later.
 */
const MERGE_PENDING_TERMS = `select gin_clean_pending_list('documents_terms'), gin_clean_pending_list('documents_heads')`

export class PostgresFeed implements IndexFeed {
  /** This process wrote documents since it last merged their terms. */
  #hasPendingTerms = false
  readonly #dependencies: FeedDependencies
  #openBatch: OpenBatch | null = null
  #lastCheckedKey = FIRST_KEY

  constructor(dependencies: FeedDependencies) {
    this.#dependencies = dependencies
  }

  /** One batch at a time: an unfinished batch is released first. */
  async takeUnreadLinks(limit: number): Promise<LinkBatch | null> {
    await this.#releaseBatch()
    await this.#checkEngine()
    return this.#dependencies.db.withRetries(() => this.#claimLinks(Math.min(limit, MAX_PAGES)))
  }

  async saveAnchors(token: string, anchors: AnchorText[], unread: number[] = []): Promise<void> {
    const { connection, waiting } = this.#endBatch(token)
    await this.#commitBatch(connection, async () => {
      const slot = await acquireCounterSlot(connection)
      const reindexKeys = await addAnchors(connection, slot, anchors)
      await lockBatchEnd(connection)
      await requeueUrls(connection, await findUrlsToReindex(connection, reindexKeys, []), 'when idle')
      await recordReadLinks(connection, waiting, new Set(unread))
    })
  }

  /** One batch at a time: an unfinished batch is released first. */
  async take(limit: number, options: TakeOptions = {}): Promise<FeedBatch | null> {
    const { db } = this.#dependencies
    await this.#releaseBatch()
    await this.#checkEngine()
    for (;;) {
      const batch = await db.withRetries(() => this.#attempt(Math.min(limit, MAX_PAGES), options))
      if (batch !== 'all deleted') return batch
    }
  }

  async add(token: string, pages: PageResult[]): Promise<void> {
    this.#batchOf(token).results.push(...pages)
  }

  async finish(token: string, { pages, anchors }: FeedOutcome): Promise<void> {
    const batch = this.#endBatch(token)
    this.#hasPendingTerms = true
    const { time, sink } = this.#dependencies
    const outcome = { pages: [...batch.results, ...pages], anchors }
    await this.#commitBatch(batch.connection, () => finishBatch(batch, outcome, { time, sink }))
  }

  async followRetention(limit: number): Promise<{ examined: number; dropped: number }> {
    const { db, sink } = this.#dependencies
    const scan = await db.withRetries(() => findStaleDocuments(db.pool, this.#lastCheckedKey, limit))
    const { examined, stale, outdated, last } = scan
    this.#lastCheckedKey = last ?? FIRST_KEY
    if (outdated.length > 0) await this.#inTransaction((tx) => updateExpiry(tx, outdated, sink))
    const dropped = stale.length === 0 ? 0 : await this.#inTransaction((tx) => dropStaleDocuments(tx, stale, sink))
    return { examined, dropped }
  }

  async saveRanks(crawl: Pick<Crawl, 'id' | 'createdAt'>, ranks: LinkRank[]): Promise<void> {
    const { sink } = this.#dependencies
    const atOnce = sink === null ? ranks.length : SINK_RANKS_AT_ONCE
    for (let i = 0; i < ranks.length; i += atOnce)
      await this.#inTransaction((tx) => saveRanks(tx, crawl, ranks.slice(i, i + atOnce), sink))
  }

  visitedWhenRanked(crawlId: string): Promise<number> {
    return this.#dependencies.db.withRetries(() => visitedWhenRanked(this.#dependencies.db.pool, crawlId))
  }

  async recordRanking(crawlId: string, links: number): Promise<void> {
    await this.#inTransaction((tx) => recordRanked(tx, crawlId, links))
  }

  async deleteOtherRanks(crawlIds: string[]): Promise<void> {
    let isDone = false
    const { sink } = this.#dependencies
    while (!isDone) isDone = await this.#inTransaction((tx) => deleteSomeOtherRanks(tx, crawlIds, sink))
  }

  lag(): Promise<{ waiting: number; lagMs: number }> {
    return this.#dependencies.db.withRetries(() => readLag(this.#dependencies.db.pool, this.#dependencies.time))
  }

  async mergeTerms(): Promise<boolean> {
    if (this.#dependencies.sink !== null) {
      await this.#dependencies.sink.settle()
      return false
    }
    if (!this.#hasPendingTerms) return false
    await this.#inTransaction((tx) => withoutTimeout(tx, { text: MERGE_PENDING_TERMS }))
    this.#hasPendingTerms = false
    return false
  }

  /** Batches taken before are finished into the empty index. */
  async clear(): Promise<void> {
    await this.#startOver(true)
  }

  async startRebuild(): Promise<void> {
    await this.#startOver(false)
  }

  async #startOver(isServed: boolean): Promise<void> {
    const { sink } = this.#dependencies
    const tables = sink === null ? CLEARED : CLEARED.filter((table) => table !== 'search_engine')
    await this.#inTransaction(async (tx) => {
      await withoutTimeout(tx, { text: `truncate ${tables.join(', ')}` })
      await enqueueAll(tx)
      await sink?.startOver(tx, isServed)
    })
    await sink?.removeUnused()
  }

  /** Fails if the documents are in another engine. */
  async #checkEngine(): Promise<void> {
    const { db, sink } = this.#dependencies
    if (sink === null) await db.withRetries(() => assertInTables(db.pool))
    else await sink.check()
  }

  /** Releases an unfinished batch. */
  close(): void {
    this.#openBatch?.connection.release(true)
    this.#openBatch = null
  }

  #batchOf(token: string): OpenBatch {
    if (this.#openBatch?.token === token) return this.#openBatch
    throw new AppError('INTERNAL', `No open index batch has the token ${token}.`)
  }

  #endBatch(token: string): OpenBatch {
    const batch = this.#batchOf(token)
    this.#openBatch = null
    return batch
  }

  /** Frees its pages before others are claimed. */
  async #releaseBatch(): Promise<void> {
    const connection = this.#openBatch?.connection
    this.#openBatch = null
    if (connection === undefined) return
    const isBroken = await connection.query({ text: 'rollback' }).then(
      () => false,
      () => true,
    )
    connection.release(isBroken)
  }

  async #claimLinks(limit: number): Promise<LinkBatch | null> {
    const { pool } = this.#dependencies.db
    return this.#claim(
      (connection) => claimUnreadLinks(connection, limit, this.#dependencies.time),
      async (waiting, batch) => {
        if (waiting.length === 0) return null
        const pages = await pagesToIndex(pool, waiting)
        return { ...batch([]), pages: pages.map(({ version }) => version) }
      },
    )
  }

  async #attempt(limit: number, options: TakeOptions): Promise<FeedBatch | null | 'all deleted'> {
    const { pool } = this.#dependencies.db
    return this.#claim(
      (connection) => claimQueued(connection, limit, this.#dependencies.time, options),
      async (waiting, batch, connection) => {
        // Uses another connection: until the batch is finished, this one locks nothing but its own pages.
        const pages = await loadFeedPages(pool, waiting)
        const existing = new Set(pages.map(({ version }) => version.id))
        const stale = waiting.filter(({ id }) => !existing.has(id))
        await requeueUrls(
          pool,
          stale.map(({ urlHash }) => urlHash),
        )
        if (pages.length > 0) {
          const hosts = new Set(pages.map(({ version }) => hostOf(version.url)))
          return { ...batch(pages), pages, hosts: await readHostCounts(pool, [...hosts]) }
        }
        await deleteQueued(connection, waiting)
        return waiting.length === 0 ? null : 'all deleted'
      },
    )
  }

  async #claim<T>(claim: (connection: Connection) => Promise<QueuedPage[]>, load: LoadBatch<T>): Promise<T> {
    const { loaded, openBatch } = await claimBatch(this.#dependencies.db.pool, claim, load)
    this.#openBatch = openBatch
    return loaded
  }

  /** If the commit fails, the pages are released and offered again. */
  async #commitBatch(connection: Connection, work: () => Promise<void>): Promise<void> {
    let isBroken = true
    try {
      await work()
      await connection.query({ text: 'commit' })
      isBroken = false
    } catch (error) {
      throw storeError(error, this.#dependencies.url)
    } finally {
      connection.release(isBroken)
    }
  }

  #inTransaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#dependencies.db.withRetries(() => this.#dependencies.db.transaction(work))
  }
}
