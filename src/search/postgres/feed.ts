// Fills the index. A batch is a transaction from `take` to `finish`: the rows that name its pages stay locked for so long
// and go with its end, so that a page is indexed once whatever happens in between. Any number of processes may do this.

import { randomUUID } from 'node:crypto'
import { AppError } from '../../lib/errors.ts'
import type { FeedBatch, FeedOutcome, FeedPage, IndexFeed, LinkRank } from '../../ports/search.ts'
import { storeError } from '../../store/postgres/connect.ts'
import type { Database } from '../../store/postgres/database.ts'
import { INDEX_TABLES } from '../../store/postgres/index-tables.ts'
import { pagesToIndex } from '../../store/postgres/pages.ts'
import { type Connection, type Queryable, unhurried } from '../../store/postgres/query.ts'
import type { Time } from '../../store/postgres/time.ts'
import { hostOf } from '../url-parts.ts'
import { readAnchors, readEra, toldMore } from './anchors.ts'
import { readIndexed } from './documents.ts'
import { dropGone, FIRST_KEY, lookForGone } from './gone.ts'
import { readLines } from './host-lines.ts'
import { endWaiting, lookAgain, putOff, queueAll, readLag, takeWaiting, type Waiting } from './queue.ts'
import { keepRanks, noteRanked, readRanks, saveRanks, visitedWhenRanked } from './ranks.ts'
import { lockEnd } from './slot.ts'
import { notePace } from './status.ts'
import { writeOutcome } from './write.ts'

export interface FeedParts {
  db: Database
  time: Time
  url: string
}

interface Taken {
  token: string
  connection: Connection
  waiting: Waiting[]
  pages: FeedPage[]
}

/** A second or two of work: others wait for its hosts, and a process that ends takes it along. */
const MAX_PAGES = 512
/** Ranks are of the link graph, not of the text: they outlive the documents. */
const CLEARED = INDEX_TABLES.filter((table) => table !== 'document_ranks' && table !== 'ranked_crawls')

export class PostgresFeed implements IndexFeed {
  readonly #parts: FeedParts
  #taken: Taken | null = null
  #lookedAt = FIRST_KEY

  constructor(parts: FeedParts) {
    this.#parts = parts
  }

  /** One batch at a time: what was taken before and not finished is given back. */
  async take(limit: number): Promise<FeedBatch | null> {
    const { db } = this.#parts
    await this.#giveBack()
    for (;;) {
      const batch = await db.persist(() => this.#attempt(Math.min(limit, MAX_PAGES)))
      if (batch !== 'all gone') return batch
    }
  }

  async finish(token: string, outcome: FeedOutcome): Promise<void> {
    const taken = this.#taken
    if (taken?.token !== token) throw new AppError('INTERNAL', `There is no batch ${token} of pages to index.`)
    this.#taken = null
    const { connection, waiting } = taken
    const { time } = this.#parts
    const later = new Set(notMentioned(taken.pages, outcome))
    await this.#ending(connection, async () => {
      const { slot, told } = await writeOutcome(connection, outcome)
      const done = waiting.filter(({ id }) => !later.has(id))
      await putOff(
        connection,
        waiting.filter(({ id }) => later.has(id)),
        time,
      )
      await lockEnd(connection)
      const indexed = new Set(outcome.pages.flatMap((page) => ('document' in page ? [page.document.pageId] : [])))
      const again = await toldMore(
        connection,
        told,
        taken.pages.filter(({ version }) => indexed.has(version.id)),
      )
      // They may be among those that are done.
      await endWaiting(connection, done)
      await lookAgain(connection, again, 'when nothing else waits')
      await notePace(connection, time, { slot, pages: done.length })
    })
  }

  async dropGone(limit: number): Promise<{ looked: number; dropped: number }> {
    const { db } = this.#parts
    const { looked, gone, last } = await db.persist(() => lookForGone(db.pool, this.#lookedAt, limit))
    this.#lookedAt = last ?? FIRST_KEY
    const dropped = gone.length === 0 ? 0 : await this.#inOne((tx) => dropGone(tx, gone))
    return { looked, dropped }
  }

  async saveRanks(crawlId: string, ranks: LinkRank[]): Promise<void> {
    await this.#inOne((tx) => saveRanks(tx, crawlId, ranks))
  }

  visitedWhenRanked(crawlId: string): Promise<number> {
    return this.#parts.db.persist(() => visitedWhenRanked(this.#parts.db.pool, crawlId))
  }

  async noteRanked(crawlId: string, links: number): Promise<void> {
    await this.#inOne((tx) => noteRanked(tx, crawlId, links))
  }

  async keepRanks(crawlIds: string[]): Promise<void> {
    await this.#inOne((tx) => keepRanks(tx, crawlIds))
  }

  lag(): Promise<{ waiting: number; lagMs: number }> {
    return this.#parts.db.persist(() => readLag(this.#parts.db.pool, this.#parts.time))
  }

  /** What is taken at this moment is finished into the empty index. */
  async clear(): Promise<void> {
    await this.#inOne(async (tx) => {
      await unhurried(tx, { text: `truncate ${CLEARED.join(', ')}` })
      await queueAll(tx)
    })
  }

  /** Gives back a batch that is not finished. */
  close(): void {
    this.#taken?.connection.release(true)
    this.#taken = null
  }

  /** Its pages are free before others are looked for. */
  async #giveBack(): Promise<void> {
    const connection = this.#taken?.connection
    this.#taken = null
    if (connection === undefined) return
    const isGone = await connection.query({ text: 'rollback' }).then(
      () => false,
      () => true,
    )
    connection.release(isGone)
  }

  async #attempt(limit: number): Promise<FeedBatch | null | 'all gone'> {
    const connection: Connection = await this.#parts.db.pool.connect()
    try {
      await connection.query({ text: 'begin' })
      const waiting = await takeWaiting(connection, limit, this.#parts.time)
      // By another connection: until the batch is finished, this one holds nothing but its own pages.
      const pages = await this.#describe(waiting)
      const there = new Set(pages.map(({ version }) => version.id))
      const gone = waiting.filter(({ id }) => !there.has(id))
      await lookAgain(
        this.#parts.db.pool,
        gone.map(({ urlHash }) => urlHash),
      )
      if (pages.length > 0) {
        const token = randomUUID()
        this.#taken = { token, connection, waiting, pages }
        const lines = await readLines(this.#parts.db.pool, [
          ...new Set(pages.map(({ version }) => hostOf(version.url))),
        ])
        return { token, era: await readEra(this.#parts.db.pool), pages, lines }
      }
      await endWaiting(connection, waiting)
      await connection.query({ text: 'commit' })
      connection.release()
      return waiting.length === 0 ? null : 'all gone'
    } catch (error) {
      connection.release(true)
      throw error
    }
  }

  async #describe(waiting: Waiting[]): Promise<FeedPage[]> {
    if (waiting.length === 0) return []
    const { pool } = this.#parts.db
    const pages = await pagesToIndex(pool, waiting)
    const urls = pages.map(({ version, urlId }) => ({ crawlId: version.crawlId, urlId }))
    const names = pages.map(({ version }) => version.url)
    const [anchors, ranks, before] = await Promise.all([
      readAnchors(pool, names),
      readRanks(pool, urls),
      readIndexed(pool, names),
    ])
    return pages.map((page, i) => ({
      ...page,
      anchors: anchors[i] ?? [],
      before: before[i] ?? null,
      ...(ranks[i] ?? { linkRank: 0, inlinks: 0 }),
    }))
  }

  /** When it fails the pages are given back, and come again. */
  async #ending(connection: Connection, work: () => Promise<void>): Promise<void> {
    let isBroken = true
    try {
      await work()
      await connection.query({ text: 'commit' })
      isBroken = false
    } catch (error) {
      throw storeError(error, this.#parts.url)
    } finally {
      connection.release(isBroken)
    }
  }

  #inOne<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#parts.db.persist(() => this.#parts.db.transaction(work))
  }
}

/** Pages that the outcome says nothing of: their bytes cannot be had now. */
function notMentioned(pages: FeedPage[], outcome: FeedOutcome): number[] {
  const names = (url: string, version: number) => `${version} ${url}`
  const results = outcome.pages.map((page) => ('document' in page ? page.document : page.leftOut))
  const known = new Set(results.map(({ url, version }) => names(url, version)))
  return pages.flatMap(({ version }) => (known.has(names(version.url, version.version)) ? [] : [version.id]))
}
