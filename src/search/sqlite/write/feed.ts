// Fills search.db from a store whose page ids ascend in archiving order. The id of the last processed page is saved in
// the same transaction as the documents.

import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../lib/clock.ts'
import type {
  AnchorText,
  FeedBatch,
  FeedOutcome,
  FeedPage,
  IndexedPage,
  IndexFeed,
  LinkBatch,
  PageResult,
  TakeOptions,
} from '../../../ports/index-feed.ts'
import type { Pages, PageToIndex } from '../../../ports/pages.ts'
import type { IndexDocument, LinkRank } from '../../../ports/search.ts'
import { ownLanguage } from '../../host-languages.ts'
import { textHash } from '../../text-hash.ts'
import { hostOf } from '../../url-parts.ts'
import { writeError } from '../open.ts'
import { AnchorTexts } from './anchor-texts.ts'
import { DocumentWriter, toDocumentRef } from './document-writer.ts'
import { StoredHostCounts, unpackDocumentLines } from './host-counts.ts'
import { LanguageUpdates, unpackPossibleLangs } from './language-updates.ts'
import { LinkRanks, type RankedCrawl } from './link-ranks.ts'
import { ReindexQueue } from './reindex-queue.ts'
import { SegmentMerger } from './segment-merger.ts'
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
/** Each reindexed page is a separate lookup. */
const MAX_REINDEXED = 512
const TABLES = [
  'documents',
  'bags',
  'text_blocks',
  'titles',
  'words',
  'anchors',
  'again',
  'host_lines',
  'ranks',
  'languages',
  'crawls',
] as const

export class SqliteFeed implements IndexFeed {
  readonly #dependencies: FeedDependencies
  readonly #writer: DocumentWriter
  readonly #reindexQueue: ReindexQueue
  readonly #position
  readonly #advance
  readonly #advanceLinks
  readonly #anchors: AnchorTexts
  readonly #indexedByUrl
  readonly #ranks: LinkRanks
  readonly #hosts: StoredHostCounts
  readonly #languages: LanguageUpdates
  readonly #words: WordCounter
  readonly #segments: SegmentMerger
  readonly #nextDocuments
  readonly #setExpiry
  /** Where `followRetention` continues. */
  #lastCheckedId = 0
  #era = 0
  /** The batch whose transaction is open. */
  #openBatch: { token: string; documents: number } | null = null
  #pace = { pages: 0, since: 0 }
  /** When the current batch was taken; the indexing rate is measured from then. */
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
    this.#indexedByUrl = db.prepare(
      `select d.page_id, d.url, d.version, d.lang, d.possible_langs, b.lines, b.repeated
       from documents d join bags b on b.page_id = d.page_id where d.url_hash = ?`,
    )
    this.#ranks = new LinkRanks(db, (uuid) => this.#writer.crawlId(uuid))
    this.#words = new WordCounter(db)
    this.#segments = new SegmentMerger(db)
    this.#setExpiry = db.prepare('update documents set expires_at = ? where page_id = ?')
    this.#nextDocuments = db.prepare(
      'select page_id, title, url, expires_at from documents where page_id > ? order by page_id limit ?',
    )
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
      // Last, because pages of this batch may have to be reindexed.
      this.#anchors.save(anchors)
      this.#saveProgress(pageId, documents)
      this.#commit()
      this.#segments.add(documents)
    })
  }

  async followRetention(limit: number): Promise<{ looked: number; dropped: number }> {
    const rows = this.#nextDocuments.all(this.#lastCheckedId, limit)
    const ids = rows.map((row) => Number(row['page_id']))
    // Starts over after the last document.
    this.#lastCheckedId = rows.length < limit ? 0 : (ids.at(-1) ?? 0)
    const retention = await this.#dependencies.pages.retentionOf(ids)
    const stale = rows.filter((_, i) => retention[i] === null)
    const changed = retention.flatMap((kept, i) => {
      const row = rows[i]
      return kept === null || row === undefined || row['expires_at'] === kept.expiresAt ? [] : [{ row, ...kept }]
    })
    const remainingIds = await this.#reindexQueue.latestRemaining(stale.map((row) => String(row['url'])))
    if (stale.length + changed.length > 0) {
      this.#transact(() => {
        for (const { row, expiresAt } of changed) this.#setExpiry.run(expiresAt, Number(row['page_id']))
        for (const row of stale) this.#writer.remove(toDocumentRef(row))
        for (const id of remainingIds) this.#reindexQueue.add(id)
      })
    }
    return { looked: rows.length, dropped: stale.length }
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
    this.#transact(() => {
      for (const table of ['terms', 'impacts']) {
        this.#dependencies.db.exec(`insert into ${table} (${table}) values ('delete-all')`)
      }
      for (const table of TABLES) this.#dependencies.db.exec(`delete from ${table}`)
      this.#dependencies.db.exec('update progress set page_id = 0, links_id = 0, pages = 0, since = 0, at = 0')
      this.#dependencies.db.exec('update totals set documents = 0, terms = 0')
    })
    this.#clearCaches()
    this.#lastCheckedId = 0
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
    const before = this.#indexedByUrl.all(hash).find((row) => row['url'] === url)
    return {
      ...page,
      anchors: this.#anchors.textsOf(hash),
      ...this.#ranks.of(hash),
      previous: before === undefined ? null : toIndexedPage(before),
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

function toIndexedPage(row: Record<string, unknown>): IndexedPage {
  const [lang, possible] = [row['lang'], row['possible_langs']] as (string | null)[]
  return {
    ownLang: ownLanguage({ lang: lang ?? null, possibleLangs: unpackPossibleLangs(possible ?? null) }),
    pageId: Number(row['page_id']),
    version: Number(row['version']),
    lines: unpackDocumentLines(row['lines'] as Uint8Array),
    repeated: unpackDocumentLines(row['repeated'] as Uint8Array),
  }
}

/** The first pages that fit into the limit together, at least one. */
function limitBatchBytes(pages: PageToIndex[], maxBytes: number): PageToIndex[] {
  let bytes = 0
  const end = pages.findIndex(({ version }, i) => {
    bytes += version.contentLength ?? version.wireBytes
    return i > 0 && bytes > maxBytes
  })
  return end === -1 ? pages : pages.slice(0, end)
}

/** Page ids ascend without gaps except for deleted pages, so the difference is roughly the number of waiting pages. */
export async function readLag(
  position: number,
  pages: Pick<Pages, 'listAfter' | 'newestId'>,
  now: number,
): Promise<{ waiting: number; lagMs: number }> {
  const waiting = (await pages.newestId()) - position
  if (waiting <= 0) return { waiting: 0, lagMs: 0 }
  const [first] = await pages.listAfter(position, 1)
  return { waiting, lagMs: first === undefined ? 0 : Math.max(0, now - first.version.visitedAt) }
}
