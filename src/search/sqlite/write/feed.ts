// Fills search.db from the pages of a store whose ids go up in the order of keeping: the id of the last page that was
// looked at is kept with the documents, in the same transaction.

import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../lib/clock.ts'
import type { Pages, PageToIndex } from '../../../ports/pages.ts'
import {
  type AnchorText,
  type FeedBatch,
  type FeedOutcome,
  type FeedPage,
  type IndexDocument,
  type IndexedPage,
  type IndexFeed,
  type LinkRank,
  MAX_ANCHORS,
} from '../../../ports/search.ts'
import { textHash } from '../../text-hash.ts'
import { hostOf } from '../../url-parts.ts'
import { writeError } from '../open.ts'
import { DocumentWriter, toDocumentRef } from './document-writer.ts'
import { HostLineCounts, unpackDocumentLines } from './host-lines.ts'
import { ReindexQueue } from './reindex-queue.ts'
import { WordCounter } from './word-counter.ts'

export interface FeedDependencies {
  db: DatabaseSync
  pages: Pick<Pages, 'listAfter' | 'exist' | 'history' | 'newestId'>
  clock: Clock
  /** Of all pages of a batch together: their texts are in memory at the same time. */
  maxBatchBytes?: number
}

/** The pace that people are told is that of so long. */
const PACE_MS = 10_000
const MAX_SAVED_ANCHORS = 100_000
const MAX_BATCH_BYTES = 32 << 20
/** Each is looked up by itself. */
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
  readonly #anchorsOf
  readonly #countTexts
  readonly #addAnchor
  readonly #indexedByUrl
  readonly #ranks
  readonly #saveRank
  readonly #lines: HostLineCounts
  readonly #words: WordCounter
  readonly #nextDocuments
  readonly #setRank
  readonly #ranked
  readonly #noteRanked
  readonly #otherCrawls
  readonly #forgetRanks
  readonly #forgetCrawls
  /** Where `dropGone` goes on. */
  #lastCheckedId = 0
  #era = 0
  /** Hashes of url and text that were told before: to tell them again would change nothing. */
  readonly #savedAnchors = new Set<number>()
  #pace = { pages: 0, since: 0 }
  /** When the batch at hand was given out: the time of its pages counts from then. */
  #takenAt = 0

  constructor(parts: FeedDependencies) {
    this.#dependencies = parts
    const { db } = parts
    this.#lines = new HostLineCounts(db)
    this.#writer = new DocumentWriter(db, this.#lines)
    this.#reindexQueue = new ReindexQueue(db, parts.pages)
    this.#position = db.prepare('select page_id from progress')
    this.#advance = db.prepare('update progress set page_id = max(page_id, ?), pages = ?, since = ?, at = ?')
    this.#anchorsOf = db.prepare('select text from anchors where url_hash = ? order by text')
    // Two statements: one that reads the table it writes to keeps what it read in a table of its own first.
    this.#countTexts = db.prepare('select count(*) as n from anchors where url_hash = ?')
    this.#addAnchor = db.prepare('insert or ignore into anchors (url_hash, text) values (?, ?)')
    this.#indexedByUrl = db.prepare(
      `select d.page_id, d.url, d.version, b.lines, b.repeated
       from documents d join bags b on b.page_id = d.page_id where d.url_hash = ?`,
    )
    this.#ranks = db.prepare('select link_rank, inlinks from ranks where crawl = ? and url_id = ?')
    this.#saveRank = db.prepare(
      `insert into ranks (crawl, url_id, link_rank, inlinks) values (?, ?, ?, ?)
       on conflict do update set link_rank = excluded.link_rank, inlinks = excluded.inlinks`,
    )
    const others = 'from crawls where uuid not in (select value from json_each(?))'
    this.#otherCrawls = db.prepare(`select 1 ${others} limit 1`)
    this.#forgetRanks = db.prepare(`delete from ranks where crawl in (select id ${others})`)
    this.#forgetCrawls = db.prepare(
      `delete ${others} and not exists (select 1 from documents d where d.crawl = crawls.id)`,
    )
    this.#words = new WordCounter(db)
    this.#nextDocuments = db.prepare(
      'select page_id, title, url from documents where page_id > ? order by page_id limit ?',
    )
    this.#setRank = db.prepare(
      `update documents set link_rank = ?1, inlinks = ?2 where crawl = ?3 and url_id = ?4
         and (link_rank <> ?1 or inlinks <> ?2)`,
    )
    this.#ranked = db.prepare('select ranked_at from crawls where uuid = ?')
    this.#noteRanked = db.prepare('update crawls set ranked_at = ? where id = ?')
  }

  async take(limit: number): Promise<FeedBatch | null> {
    this.#takenAt = this.#dependencies.clock.now()
    const pages = limitBatchBytes(
      await this.#dependencies.pages.listAfter(this.position(), limit),
      this.#dependencies.maxBatchBytes ?? MAX_BATCH_BYTES,
    )
    const last = pages.at(-1)
    if (last === undefined && this.#words.hasUnsaved) this.#transact(() => this.#words.save())
    const batch =
      last === undefined
        ? await this.#takeReindexed(Math.min(limit, MAX_REINDEXED))
        : { token: String(last.version.id), pages }
    if (batch === null) return null
    const lines = this.#lines.read(new Set(batch.pages.map(({ version }) => hostOf(version.url))))
    return { token: batch.token, epoch: this.#era, pages: batch.pages.map((page) => this.#toFeedPage(page)), lines }
  }

  async finish(token: string, { pages, anchors }: FeedOutcome): Promise<void> {
    this.#transact(() => {
      for (const page of pages) {
        if ('leftOut' in page) this.#writer.removeUpToVersion(page.leftOut.url, page.leftOut.version)
        else this.#put(page.document)
      }
      const documents = pages.filter((page) => 'document' in page).length
      this.#words.finish(documents)
      const pageId = this.#reindexQueue.finish(token) ? 0 : Number(token)
      // After that: pages of this batch may be among those to be indexed again.
      this.#saveAnchors(anchors)
      this.#saveProgress(pageId, documents)
    })
  }

  async deleteGone(limit: number): Promise<{ looked: number; dropped: number }> {
    const rows = this.#nextDocuments.all(this.#lastCheckedId, limit)
    const ids = rows.map((row) => Number(row['page_id']))
    // Past the last one it begins anew.
    this.#lastCheckedId = rows.length < limit ? 0 : (ids.at(-1) ?? 0)
    const areThere = await this.#dependencies.pages.exist(ids)
    const gone = rows.filter((_, i) => areThere[i] === false)
    const again = await this.#reindexQueue.latestRemaining(gone.map((row) => String(row['url'])))
    if (gone.length > 0) {
      this.#transact(() => {
        for (const row of gone) this.#writer.remove(toDocumentRef(row))
        for (const id of again) this.#reindexQueue.add(id)
      })
    }
    return { looked: rows.length, dropped: gone.length }
  }

  async saveRanks(crawlId: string, ranks: LinkRank[]): Promise<void> {
    this.#transact(() => {
      const crawl = this.#writer.crawlId(crawlId)
      for (const { urlId, linkRank, inlinks } of ranks) {
        this.#saveRank.run(crawl, urlId, linkRank, inlinks)
        this.#setRank.run(linkRank, inlinks, crawl, urlId)
      }
    })
  }

  async visitedWhenRanked(crawlId: string): Promise<number> {
    return Number(this.#ranked.get(crawlId)?.['ranked_at'] ?? 0)
  }

  async recordRanking(crawlId: string, visited: number): Promise<void> {
    this.#transact(() => this.#noteRanked.run(visited, this.#writer.crawlId(crawlId)))
  }

  async deleteOtherRanks(crawlIds: string[]): Promise<void> {
    const kept = JSON.stringify(crawlIds)
    if (this.#otherCrawls.get(kept) === undefined) return
    this.#transact(() => {
      this.#forgetRanks.run(kept)
      this.#forgetCrawls.run(kept)
    })
    this.#writer.rollback()
  }

  async lag(): Promise<{ waiting: number; lagMs: number }> {
    return readLag(this.position(), this.#dependencies.pages, this.#dependencies.clock.now())
  }

  async clear(): Promise<void> {
    this.#transact(() => {
      for (const table of ['terms', 'heads']) {
        this.#dependencies.db.exec(`insert into ${table} (${table}) values ('delete-all')`)
      }
      for (const table of TABLES) this.#dependencies.db.exec(`delete from ${table}`)
      this.#dependencies.db.exec('update progress set page_id = 0, pages = 0, since = 0, at = 0')
      this.#dependencies.db.exec('update totals set documents = 0, terms = 0')
    })
    this.#clearCaches()
    this.#lastCheckedId = 0
    this.#era += 1
  }

  /** Every page up to this id is done. */
  position(): number {
    return Number(this.#position.get()?.['page_id'])
  }

  /** Those that are gone meanwhile are done. */
  async #takeReindexed(limit: number): ReturnType<ReindexQueue['take']> {
    for (;;) {
      const batch = await this.#reindexQueue.take(limit)
      if (batch === null || batch.pages.length > 0) return batch
      this.#transact(() => this.#reindexQueue.finish(batch.token))
    }
  }

  #toFeedPage(page: PageToIndex): FeedPage {
    const { url, crawlId } = page.version
    const hash = textHash(url)
    const before = this.#indexedByUrl.all(hash).find((row) => row['url'] === url)
    const rank = this.#ranks.get(this.#writer.crawlId(crawlId), page.urlId)
    return {
      ...page,
      anchors: this.#anchorsOf.all(hash).map((row) => String(row['text'])),
      linkRank: Number(rank?.['link_rank'] ?? 0),
      inlinks: Number(rank?.['inlinks'] ?? 0),
      previous: before === undefined ? null : toIndexedPage(before),
    }
  }

  #put(document: IndexDocument): void {
    const done = this.#writer.put(document)
    if (done !== 'late') this.#words.add(document.words, done === 'new')
  }

  /**
   * Of a url the first texts stay, in the order of the pages that say them: what many say is said early. A page that is
   * indexed already is indexed again when it is told what it was not told before.
   */
  #saveAnchors(anchors: AnchorText[]): void {
    // In the order of the table: neighbours are in the same leaf of it. Those of a url stay in their order.
    const sorted = anchors.map((anchor) => ({ ...anchor, hash: textHash(anchor.url) })).sort((a, b) => a.hash - b.hash)
    for (const { hash, text } of sorted) {
      const key = textHash(text, hash)
      if (this.#savedAnchors.has(key)) continue
      if (this.#savedAnchors.size >= MAX_SAVED_ANCHORS) this.#savedAnchors.clear()
      this.#savedAnchors.add(key)
      if (Number(this.#countTexts.get(hash)?.['n']) >= MAX_ANCHORS) continue
      if (this.#addAnchor.run(hash, text).changes > 0) this.#reindexQueue.addByUrlHash(hash)
    }
  }

  #saveProgress(pageId: number, documents: number): void {
    const now = this.#dependencies.clock.now()
    if (now - this.#pace.since > PACE_MS) this.#pace = { pages: 0, since: this.#takenAt }
    this.#pace.pages += documents
    this.#advance.run(pageId, this.#pace.pages, this.#pace.since, now)
  }

  #transact(work: () => unknown): void {
    const { db } = this.#dependencies
    db.exec('begin immediate')
    try {
      work()
      this.#writer.flush()
      db.exec('commit')
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      this.#clearCaches()
      throw writeError(error)
    }
  }

  /** What is known here of the file may not be in it any more. */
  #clearCaches(): void {
    this.#writer.rollback()
    this.#words.rollback()
    this.#savedAnchors.clear()
  }
}

function toIndexedPage(row: Record<string, unknown>): IndexedPage {
  return {
    pageId: Number(row['page_id']),
    version: Number(row['version']),
    lines: unpackDocumentLines(row['lines'] as Uint8Array),
    repeated: unpackDocumentLines(row['repeated'] as Uint8Array),
  }
}

/** As many of the first as are not too large together, and one at least. */
function limitBatchBytes(pages: PageToIndex[], maxBytes: number): PageToIndex[] {
  let bytes = 0
  const end = pages.findIndex(({ version }, i) => {
    bytes += version.contentLength ?? version.wireBytes
    return i > 0 && bytes > maxBytes
  })
  return end === -1 ? pages : pages.slice(0, end)
}

/** Ids of pages go up by one, but for those that are gone; so their difference is about how many wait. */
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
