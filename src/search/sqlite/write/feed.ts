// Fills search.db from a store whose page ids ascend in archiving order. The id of the last processed page is saved in
// the same transaction as the documents.

import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../lib/clock.ts'
import type {
  AnchorText,
  FeedBatch,
  FeedOutcome,
  FeedPage,
  IndexFeed,
  LinkBatch,
  PageResult,
  TakeOptions,
} from '../../../ports/index-feed.ts'
import type { Pages, PageToIndex } from '../../../ports/pages.ts'
import type { IndexDocument, LinkRank } from '../../../ports/search.ts'
import { textHash } from '../../text-hash.ts'
import { hostOf } from '../../url-parts.ts'
import { writeError } from '../open.ts'
import { AnchorTexts } from './anchor-texts.ts'
import { clearTables } from './clear-tables.ts'
import { DocumentWriter } from './document-writer.ts'
import { StoredHostCounts } from './host-counts.ts'
import { makeIndexedPageReader } from './indexed-pages.ts'
import { LanguageUpdates } from './language-updates.ts'
import { LinkRanks, type RankedCrawl } from './link-ranks.ts'
import { ReindexQueue } from './reindex-queue.ts'
import { RetentionFollower } from './retention-follower.ts'
import { SegmentMerger } from './segment-merger.ts'
import { limitBatchBytes, readLag } from './waiting-pages.ts'
import { WordCounter } from './word-counter.ts'

export interface FeedDependencies {
  db: DatabaseSync
  pages: Pick<Pages, 'listAfter' | 'retentionOf' | 'history' | 'newestId'>
  clock: Clock
  /** Limit for all pages of a batch together. */
  maxBatchBytes?: number
}

/** Window over which the reported indexing rate is measured. */
const PACE_MS = 10_000
const MAX_BATCH_BYTES = 32 << 20
/** Limit of reindexed pages, each of which is a separate lookup. */
const MAX_REINDEXED = 512
export class SqliteFeed implements IndexFeed {
  readonly #dependencies: FeedDependencies
  readonly #writer: DocumentWriter
  readonly #reindexQueue: ReindexQueue
  readonly #position
  readonly #advance
  readonly #advanceLinks
  readonly #anchors: AnchorTexts
  readonly #readIndexedPage
  readonly #ranks: LinkRanks
  readonly #hosts: StoredHostCounts
  readonly #languages: LanguageUpdates
  readonly #words: WordCounter
  readonly #segments: SegmentMerger
  readonly #retentionFollower: RetentionFollower
  #era = 0
  /** The batch whose transaction is open. */
  #openBatch: { token: string; documents: number } | null = null
  #pace = { pages: 0, since: 0 }
  /** When the current batch was taken; the start of the measurement of the indexing rate. */
  #takenAt = 0

  constructor(dependencies: FeedDependencies) {
    this.#dependencies = dependencies
    const { db } = dependencies
    this.#hosts = new StoredHostCounts(db)
    this.#writer = new DocumentWriter(db, this.#hosts)
    this.#reindexQueue = new ReindexQueue(db, dependencies.pages)
    this.#languages = new LanguageUpdates(db, this.#hosts, this.#reindexQueue)
    this.#anchors = new AnchorTexts(db, this.#reindexQueue)
    this.#position = db.prepare('select page_id, max(page_id, links_id) as links_id from progress')
    this.#advance = db.prepare('update progress set page_id = max(page_id, ?), pages = ?, since = ?, at = ?')
    this.#advanceLinks = db.prepare('update progress set links_id = max(links_id, ?)')
    this.#readIndexedPage = makeIndexedPageReader(db)
    this.#ranks = new LinkRanks(db, (uuid) => this.#writer.crawlId(uuid))
    this.#words = new WordCounter(db)
    this.#segments = new SegmentMerger(db)
    this.#retentionFollower = new RetentionFollower({
      ...dependencies,
      writer: this.#writer,
      reindexQueue: this.#reindexQueue,
      transact: (write) => this.#transact(write),
    })
  }

  async takeUnreadLinks(limit: number): Promise<LinkBatch | null> {
    const pages = await this.#dependencies.pages.listAfter(this.#linksPosition(), limit)
    const last = pages.at(-1)
    if (last === undefined) return null
    return { token: String(last.version.id), epoch: this.#era, pages: pages.map(({ version }) => version) }
  }

  async saveAnchors(token: string, anchors: AnchorText[]): Promise<void> {
    this.#transact(() => {
      this.#anchors.save(anchors)
      this.#advanceLinks.run(Number(token))
    })
  }

  async take(limit: number, { visitedUpTo = Infinity, reindexes = true }: TakeOptions = {}): Promise<FeedBatch | null> {
    this.#rollback()
    this.#takenAt = this.#dependencies.clock.now()
    const waiting = await this.#dependencies.pages.listAfter(this.position(), limit)
    const tooNew = waiting.findIndex(({ version }) => version.visitedAt > visitedUpTo)
    const pages = limitBatchBytes(
      tooNew === -1 ? waiting : waiting.slice(0, tooNew),
      this.#dependencies.maxBatchBytes ?? MAX_BATCH_BYTES,
    )
    const last = pages.at(-1)
    if (last === undefined && this.#words.hasUnsaved) this.#transact(() => this.#words.save())
    const batch =
      last === undefined
        ? reindexes && (await this.#takeReindexed(Math.min(limit, MAX_REINDEXED)))
        : { token: String(last.version.id), pages }
    if (!batch) return null
    const hosts = this.#hosts.read(new Set(batch.pages.map(({ version }) => hostOf(version.url))))
    return { token: batch.token, epoch: this.#era, pages: batch.pages.map((page) => this.#toFeedPage(page)), hosts }
  }

  async add(token: string, pages: PageResult[]): Promise<void> {
    this.#write(() => {
      const batch = this.#begin(token)
      for (const page of pages) {
        if ('leftOut' in page) this.#writer.removeUpToVersion(page.leftOut.url, page.leftOut.version)
        else this.#put(page.document)
        if ('document' in page) batch.documents += 1
      }
    })
  }

  async finish(token: string, { pages, anchors }: FeedOutcome): Promise<void> {
    await this.add(token, pages)
    this.#write(() => {
      const { documents } = this.#begin(token)
      this.#words.finish(documents)
      const pageId = this.#reindexQueue.finish(token) ? 0 : Number(token)
      // Saved last, because pages of this batch may have to be reindexed.
      this.#anchors.save(anchors)
      this.#saveProgress(pageId, documents)
      this.#commit()
      this.#segments.add(documents)
    })
  }

  followRetention(limit: number): Promise<{ examined: number; dropped: number }> {
    return this.#retentionFollower.checkNext(limit)
  }

  async saveRanks(crawl: RankedCrawl, ranks: LinkRank[]): Promise<void> {
    this.#transact(() => this.#ranks.save(crawl, ranks))
  }

  async visitedWhenRanked(crawlId: string): Promise<number> {
    return this.#ranks.visitedWhenRanked(crawlId)
  }

  async recordRanking(crawlId: string, visited: number): Promise<void> {
    this.#transact(() => this.#ranks.record(crawlId, visited))
  }

  async deleteOtherRanks(crawlIds: string[]): Promise<void> {
    if (!this.#ranks.hasOthers(crawlIds)) return
    let isDone = false
    const deleteSome = () => {
      isDone = this.#ranks.deleteSomeOthers(crawlIds)
    }
    while (!isDone) this.#transact(deleteSome)
    this.#transact(() => this.#ranks.deleteOtherCrawls(crawlIds))
    this.#writer.rollback()
  }

  async lag(): Promise<{ waiting: number; lagMs: number }> {
    return readLag(this.position(), this.#dependencies.pages, this.#dependencies.clock.now())
  }

  async mergeTerms(): Promise<boolean> {
    if (!this.#segments.isDue) return false
    this.#transact(() => this.#segments.step())
    return this.#segments.isDue
  }

  async clear(): Promise<void> {
    this.#transact(() => clearTables(this.#dependencies.db))
    this.#clearCaches()
    this.#retentionFollower.startOver()
    this.#era += 1
  }

  startRebuild(): Promise<void> {
    return this.clear()
  }

  /** Every page up to this id is processed. */
  position(): number {
    return Number(this.#position.get()?.['page_id'])
  }

  /** The links of every page up to this id are read. */
  #linksPosition(): number {
    return Number(this.#position.get()?.['links_id'])
  }

  /** Batches whose pages no longer exist are finished here. */
  async #takeReindexed(limit: number): ReturnType<ReindexQueue['take']> {
    for (;;) {
      const batch = await this.#reindexQueue.take(limit)
      if (batch === null || batch.pages.length > 0) return batch
      this.#transact(() => this.#reindexQueue.finish(batch.token))
    }
  }

  #toFeedPage(page: PageToIndex): FeedPage {
    const { url } = page.version
    const hash = textHash(url)
    return {
      ...page,
      anchors: this.#anchors.textsOf(hash),
      ...this.#ranks.of(hash),
      previous: this.#readIndexedPage(url, hash),
      hasUnreadLinks: page.version.id > this.#linksPosition(),
    }
  }

  #put(document: IndexDocument): void {
    const done = this.#writer.put(document)
    if (done === 'late') return
    this.#words.add(document.words, done === 'new')
    this.#languages.add(document)
  }

  #saveProgress(pageId: number, documents: number): void {
    const now = this.#dependencies.clock.now()
    if (now - this.#pace.since > PACE_MS) this.#pace = { pages: 0, since: this.#takenAt }
    this.#pace.pages += documents
    this.#advance.run(pageId, this.#pace.pages, this.#pace.since, now)
  }

  #transact(write: () => unknown): void {
    this.#rollback()
    this.#write(() => {
      this.#dependencies.db.exec('begin immediate')
      write()
      this.#commit()
    })
  }

  /** Opens the transaction of a batch unless it is open. An abandoned batch is rolled back. */
  #begin(token: string): { documents: number } {
    if (this.#openBatch?.token === token) return this.#openBatch
    this.#rollback()
    this.#dependencies.db.exec('begin immediate')
    this.#openBatch = { token, documents: 0 }
    return this.#openBatch
  }

  #commit(): void {
    this.#languages.requeue()
    this.#writer.flush()
    this.#dependencies.db.exec('commit')
    this.#openBatch = null
  }

  #rollback(): void {
    this.#openBatch = null
    if (!this.#dependencies.db.isTransaction) return
    this.#dependencies.db.exec('rollback')
    this.#clearCaches()
  }

  #write(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#rollback()
      this.#clearCaches()
      throw writeError(error)
    }
  }

  /** Drops cached state that may no longer match the file. */
  #clearCaches(): void {
    this.#writer.rollback()
    this.#words.rollback()
    this.#anchors.rollback()
    this.#languages.rollback()
  }
}
