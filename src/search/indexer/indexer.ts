// The indexer loop: indexes newly archived pages and, when none are waiting, computes link ranks, removes stale documents
// and merges the terms of the index. A page is indexed with the texts of links to it, so the links of all waiting pages
// are read first. While crawls run, new pages wait a little for more links, and pages with late links wait longer to be
// indexed again.

import type { PageReaderDependencies } from '../../engine/pages/read-archived-page.ts'
import { BackgroundLoop } from '../../lib/background-loop.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Crawls } from '../../ports/crawls.ts'
import type { IndexFeed, TakeOptions } from '../../ports/index-feed.ts'
import type { Revisits } from '../../ports/revisits.ts'
import type { Urls } from '../../ports/urls.ts'
import type { VersionConsumer } from '../../ports/versions.ts'
import type { Analyser } from '../analyse/analyser.ts'
import { type BatchCounts, type BatchDependencies, indexBatch, readLinks } from './index-batch.ts'
import { computeLinkRanks, isRankDue } from './link-ranks.ts'

export interface IndexerDependencies {
  feed: IndexFeed
  reading: PageReaderDependencies
  crawls: Pick<Crawls, 'list'>
  urls: Pick<Urls, 'edges' | 'rows'>
  revisits: Pick<Revisits, 'saveLinkRanks'>
  analyser: Analyser
  /** Consumers that are called with every new version. */
  consumers: readonly VersionConsumer[]
  clock: Clock
  log: Log
}

/**
 * Upper bound. A batch is one transaction of the index: more pages make longer runs of terms and less merging. Writing
 * takes an eighth less time than with 512 (2026-11).
 */
export const BATCH_PAGES = 2048
/** The anchor texts of a batch are in memory: up to 300 per page. */
const LINK_PAGES = 512
const IDLE_MS = 500
const RANKS_EVERY_MS = 10_000
const DROP_AT_ONCE = 2000
/** Minimum time between two scans over all documents. */
const DROP_EVERY_MS = 60_000
/** While a crawl runs, a page is indexed at this age. */
const NEW_PAGE_MS = 40_000
/** If more pages are waiting, nothing is delayed, so that the crawl is not held for the index. */
const MAX_DELAYED = 20_000
/** While a crawl runs, pages with late links are indexed again this often. */
const REINDEX_EVERY_MS = 3_600_000
const CRAWLS_EVERY_MS = 1000
/**
 * While a crawl runs, a batch of fewer pages is followed by a pause. A batch costs a transaction and a segment of the
 * full-text index, however small it is.
 */
const MIN_LIVE_BATCH = 256
const LIVE_BATCH_EVERY_MS = 10_000

export class Indexer {
  readonly #dependencies: IndexerDependencies
  readonly #loop: BackgroundLoop
  #era = 0
  #ranksAt = 0
  #dropsAt = 0
  #crawlsAt = 0
  #isCrawling = false
  /** Earliest time of the next batch while a crawl runs. */
  #nextBatchAt = 0
  /** Last time at which no page with late links was left. */
  #reindexedAt = 0
  readonly #counts: BatchCounts = { indexed: 0, again: 0, leftOut: {} }

  constructor(dependencies: IndexerDependencies) {
    this.#dependencies = dependencies
    const failureText = 'indexing failed, will retry'
    this.#loop = new BackgroundLoop({ ...dependencies, idleMs: IDLE_MS, failureText })
  }

  get counts(): BatchCounts {
    return this.#counts
  }

  stop(): void {
    this.#loop.stop()
  }

  /** Runs until stopped. Failures are retried with backoff. */
  run(): Promise<void> {
    return this.#loop.run(() => this.#step())
  }

  /** Runs until no page is waiting, all crawls are ranked and stale documents are removed. */
  async catchUp(): Promise<void> {
    await this.#indexAll()
    await this.#rankCrawls(true)
    while (
      !this.#loop.isStopped &&
      (await this.#dependencies.feed.followRetention(DROP_AT_ONCE)).examined === DROP_AT_ONCE
    )
      await this.#yieldToEventLoop()
    await this.#pruneRanks()
    // Earlier versions of the removed documents.
    await this.#indexAll()
    while (!this.#loop.isStopped && (await this.#dependencies.feed.mergeTerms())) await this.#yieldToEventLoop()
  }

  async #indexAll(): Promise<void> {
    while (!this.#loop.isStopped && (await this.#indexNextBatch({}))) await this.#yieldToEventLoop()
  }

  /** Returns false if there was nothing to do. */
  async #step(): Promise<boolean> {
    const now = this.#dependencies.clock.now()
    const delays = await this.#delays(now)
    // Reindexing ends when nothing is left to take, which may never be seen between two pauses.
    const isBatchDue = !this.#isCrawling || delays.reindexes === true || now >= this.#nextBatchAt
    const hasIndexed = await this.#indexNextBatch(isBatchDue ? delays : null)
    if (isBatchDue && !hasIndexed && delays.reindexes !== false) this.#reindexedAt = now
    if (now - this.#ranksAt >= RANKS_EVERY_MS) {
      this.#ranksAt = now
      await this.#rankCrawls(false)
    }
    // Runs even if pages are being indexed all the time: documents would otherwise seem to expire although their pages
    // are kept.
    const hasScanned = await this.#followRetention(now)
    const isMerging = !hasIndexed && !hasScanned && (await this.#dependencies.feed.mergeTerms())
    if (hasIndexed || isMerging) await this.#yieldToEventLoop()
    return hasIndexed || hasScanned || isMerging
  }

  /** Delays of pages while crawls run. */
  async #delays(now: number): Promise<TakeOptions> {
    const { feed, crawls } = this.#dependencies
    if (now - this.#crawlsAt >= CRAWLS_EVERY_MS) {
      this.#crawlsAt = now
      this.#isCrawling = (await crawls.list({ status: 'running', limit: 1 })).length > 0
    }
    if (!this.#isCrawling) return {}
    const reindexes = now - this.#reindexedAt >= REINDEX_EVERY_MS
    const { waiting } = await feed.lag()
    return waiting > MAX_DELAYED ? { reindexes } : { reindexes, visitedUpTo: now - NEW_PAGE_MS }
  }

  /** Without options, only links are read. Returns false if no page is waiting. */
  async #indexNextBatch(options: TakeOptions | null): Promise<boolean> {
    try {
      if (await this.#readNextLinks()) return true
      return options !== null && (await this.#indexDocuments(options))
    } catch (error) {
      // The batch is offered again, so its anchor texts have to be collected again.
      this.#dependencies.analyser.clearSeenAnchors()
      throw error
    }
  }

  /** Returns whether more links may be unread. While crawls run there always are, and documents must not wait. */
  async #readNextLinks(): Promise<boolean> {
    const batch = await this.#dependencies.feed.takeUnreadLinks(LINK_PAGES)
    if (batch === null) return false
    this.#startEra(batch.epoch)
    await readLinks(batch, this.#batchDependencies())
    return !this.#isCrawling
  }

  async #indexDocuments(options: TakeOptions): Promise<boolean> {
    const batch = await this.#dependencies.feed.take(BATCH_PAGES, options)
    if (batch === null) return false
    this.#startEra(batch.epoch)
    const done = await indexBatch(batch, this.#batchDependencies())
    if (done === null) return false
    const isSmall = batch.pages.length < MIN_LIVE_BATCH
    this.#nextBatchAt = isSmall ? this.#dependencies.clock.now() + LIVE_BATCH_EVERY_MS : 0
    this.#counts.indexed += done.indexed
    this.#counts.again += done.again
    for (const [reason, count] of Object.entries(done.leftOut)) {
      const key = reason as keyof BatchCounts['leftOut']
      this.#counts.leftOut[key] = (this.#counts.leftOut[key] ?? 0) + count
    }
    return true
  }

  #startEra(epoch: number): void {
    if (epoch !== this.#era) this.#dependencies.analyser.clearSeenAnchors()
    this.#era = epoch
  }

  #batchDependencies(): BatchDependencies {
    return { ...this.#dependencies, isStopped: () => this.#loop.isStopped }
  }

  async #rankCrawls(isAll: boolean): Promise<void> {
    const { feed, urls, crawls, revisits } = this.#dependencies
    const pause = async () => {
      await this.#yieldToEventLoop()
      return !this.#loop.isStopped
    }
    for (const progress of await crawls.list()) {
      const isDue = isAll
        ? (await feed.visitedWhenRanked(progress.crawl.id)) !== progress.ledger.visited
        : await isRankDue(progress, feed)
      if (isDue && !this.#loop.isStopped) await computeLinkRanks(progress, { feed, urls, revisits, yieldTurn: pause })
    }
  }

  /** Runs one step of the scan over all documents, if a scan is in progress or due. */
  async #followRetention(now: number): Promise<boolean> {
    if (now < this.#dropsAt) return false
    const { examined } = await this.#dependencies.feed.followRetention(DROP_AT_ONCE)
    if (examined < DROP_AT_ONCE) {
      this.#dropsAt = now + DROP_EVERY_MS
      await this.#pruneRanks()
    }
    return examined > 0
  }

  async #pruneRanks(): Promise<void> {
    const { feed, crawls } = this.#dependencies
    await feed.deleteOtherRanks((await crawls.list()).map(({ crawl }) => crawl.id))
  }

  /** Lets pending calls be answered in between. */
  #yieldToEventLoop(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}
