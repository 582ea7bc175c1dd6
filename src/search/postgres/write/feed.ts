// Fills the index. A batch is a transaction from `take` to `finish`: the rows that name its pages stay locked for so long
// and go with its end, so that a page is indexed once whatever happens in between. Any number of processes may do this.

import { randomUUID } from 'node:crypto'
import { AppError } from '../../../lib/errors.ts'
import type { FeedBatch, FeedOutcome, FeedPage, IndexFeed, LinkRank } from '../../../ports/search.ts'
import { pagesToIndex } from '../../../store/pages/postgres.ts'
import { storeError } from '../../../store/postgres/connect.ts'
import type { Database } from '../../../store/postgres/database.ts'
import { INDEX_TABLES } from '../../../store/postgres/index-tables.ts'
import { type Connection, type Queryable, withoutTimeout } from '../../../store/postgres/query.ts'
import type { StoreClock } from '../../../store/postgres/store-clock.ts'
import { hostOf } from '../../url-parts.ts'
import { recordPace } from '../read/status.ts'
import { findUrlsToReindex, readAnchors, readIndexEra } from './anchors.ts'
import { lockBatchEnd } from './counter-slot.ts'
import { readIndexedPages } from './documents.ts'
import { readHostLines } from './host-lines.ts'
import {
  claimQueued,
  deferQueued,
  deleteQueued,
  enqueueAll,
  type QueuedPage,
  readLag,
  requeueUrls,
} from './index-queue.ts'
import { deleteOtherRanks, readRanks, recordRanked, saveRanks, visitedWhenRanked } from './link-ranks.ts'
import { dropStaleDocuments, FIRST_KEY, findStaleDocuments } from './stale-documents.ts'
import { writeOutcome } from './write-outcome.ts'

export interface FeedDependencies {
  db: Database
  time: StoreClock
  url: string
}

interface OpenBatch {
  token: string
  connection: Connection
  waiting: QueuedPage[]
  pages: FeedPage[]
}

/** A second or two of work: others wait for its hosts, and a process that ends takes it along. */
const MAX_PAGES = 512
/** Ranks are of the link graph, not of the text: they outlive the documents. */
const CLEARED = INDEX_TABLES.filter((table) => table !== 'document_ranks' && table !== 'ranked_crawls')

export class PostgresFeed implements IndexFeed {
  readonly #dependencies: FeedDependencies
  #openBatch: OpenBatch | null = null
  #lastCheckedKey = FIRST_KEY

  constructor(parts: FeedDependencies) {
    this.#dependencies = parts
  }

  /** One batch at a time: what was taken before and not finished is given back. */
  async take(limit: number): Promise<FeedBatch | null> {
    const { db } = this.#dependencies
    await this.#releaseBatch()
    for (;;) {
      const batch = await db.withRetries(() => this.#attempt(Math.min(limit, MAX_PAGES)))
      if (batch !== 'all gone') return batch
    }
  }

  async finish(token: string, outcome: FeedOutcome): Promise<void> {
    const taken = this.#openBatch
    if (taken?.token !== token) throw new AppError('INTERNAL', `There is no batch ${token} of pages to index.`)
    this.#openBatch = null
    const { connection, waiting } = taken
    const { time } = this.#dependencies
    const later = new Set(findUnreportedPages(taken.pages, outcome))
    await this.#commitBatch(connection, async () => {
      const { slot, told } = await writeOutcome(connection, outcome)
      const done = waiting.filter(({ id }) => !later.has(id))
      await deferQueued(
        connection,
        waiting.filter(({ id }) => later.has(id)),
        time,
      )
      await lockBatchEnd(connection)
      const indexed = new Set(outcome.pages.flatMap((page) => ('document' in page ? [page.document.pageId] : [])))
      const again = await findUrlsToReindex(
        connection,
        told,
        taken.pages.filter(({ version }) => indexed.has(version.id)),
      )
      // They may be among those that are done.
      await deleteQueued(connection, done)
      await requeueUrls(connection, again, 'when nothing else waits')
      await recordPace(connection, time, { slot, pages: done.length })
    })
  }

  async deleteGone(limit: number): Promise<{ looked: number; dropped: number }> {
    const { db } = this.#dependencies
    const { looked, gone, last } = await db.withRetries(() => findStaleDocuments(db.pool, this.#lastCheckedKey, limit))
    this.#lastCheckedKey = last ?? FIRST_KEY
    const dropped = gone.length === 0 ? 0 : await this.#inTransaction((tx) => dropStaleDocuments(tx, gone))
    return { looked, dropped }
  }

  async saveRanks(crawlId: string, ranks: LinkRank[]): Promise<void> {
    await this.#inTransaction((tx) => saveRanks(tx, crawlId, ranks))
  }

  visitedWhenRanked(crawlId: string): Promise<number> {
    return this.#dependencies.db.withRetries(() => visitedWhenRanked(this.#dependencies.db.pool, crawlId))
  }

  async recordRanking(crawlId: string, links: number): Promise<void> {
    await this.#inTransaction((tx) => recordRanked(tx, crawlId, links))
  }

  async deleteOtherRanks(crawlIds: string[]): Promise<void> {
    await this.#inTransaction((tx) => deleteOtherRanks(tx, crawlIds))
  }

  lag(): Promise<{ waiting: number; lagMs: number }> {
    return this.#dependencies.db.withRetries(() => readLag(this.#dependencies.db.pool, this.#dependencies.time))
  }

  /** What is taken at this moment is finished into the empty index. */
  async clear(): Promise<void> {
    await this.#inTransaction(async (tx) => {
      await withoutTimeout(tx, { text: `truncate ${CLEARED.join(', ')}` })
      await enqueueAll(tx)
    })
  }

  /** Gives back a batch that is not finished. */
  close(): void {
    this.#openBatch?.connection.release(true)
    this.#openBatch = null
  }

  /** Its pages are free before others are looked for. */
  async #releaseBatch(): Promise<void> {
    const connection = this.#openBatch?.connection
    this.#openBatch = null
    if (connection === undefined) return
    const isGone = await connection.query({ text: 'rollback' }).then(
      () => false,
      () => true,
    )
    connection.release(isGone)
  }

  async #attempt(limit: number): Promise<FeedBatch | null | 'all gone'> {
    const connection: Connection = await this.#dependencies.db.pool.connect()
    try {
      await connection.query({ text: 'begin' })
      const waiting = await claimQueued(connection, limit, this.#dependencies.time)
      // By another connection: until the batch is finished, this one holds nothing but its own pages.
      const pages = await this.#loadFeedPages(waiting)
      const there = new Set(pages.map(({ version }) => version.id))
      const gone = waiting.filter(({ id }) => !there.has(id))
      await requeueUrls(
        this.#dependencies.db.pool,
        gone.map(({ urlHash }) => urlHash),
      )
      if (pages.length > 0) {
        const token = randomUUID()
        this.#openBatch = { token, connection, waiting, pages }
        const lines = await readHostLines(this.#dependencies.db.pool, [
          ...new Set(pages.map(({ version }) => hostOf(version.url))),
        ])
        return { token, epoch: await readIndexEra(this.#dependencies.db.pool), pages, lines }
      }
      await deleteQueued(connection, waiting)
      await connection.query({ text: 'commit' })
      connection.release()
      return waiting.length === 0 ? null : 'all gone'
    } catch (error) {
      connection.release(true)
      throw error
    }
  }

  async #loadFeedPages(waiting: QueuedPage[]): Promise<FeedPage[]> {
    if (waiting.length === 0) return []
    const { pool } = this.#dependencies.db
    const pages = await pagesToIndex(pool, waiting)
    const urls = pages.map(({ version, urlId }) => ({ crawlId: version.crawlId, urlId }))
    const names = pages.map(({ version }) => version.url)
    const [anchors, ranks, previous] = await Promise.all([
      readAnchors(pool, names),
      readRanks(pool, urls),
      readIndexedPages(pool, names),
    ])
    return pages.map((page, i) => ({
      ...page,
      anchors: anchors[i] ?? [],
      previous: previous[i] ?? null,
      ...(ranks[i] ?? { linkRank: 0, inlinks: 0 }),
    }))
  }

  /** When it fails the pages are given back, and come again. */
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

/** Pages that the outcome says nothing of: their bytes cannot be had now. */
function findUnreportedPages(pages: FeedPage[], outcome: FeedOutcome): number[] {
  const names = (url: string, version: number) => `${version} ${url}`
  const results = outcome.pages.map((page) => ('document' in page ? page.document : page.leftOut))
  const known = new Set(results.map(({ url, version }) => names(url, version)))
  return pages.flatMap(({ version }) => (known.has(names(version.url, version.version)) ? [] : [version.id]))
}
