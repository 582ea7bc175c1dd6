// Documents written, replaced and removed. Every call is part of a transaction of the feed.

import type { DatabaseSync } from 'node:sqlite'
import { constants, zstdCompressSync } from 'node:zlib'
import { FIELDS, type IndexDocument } from '../../ports/search.ts'
import { toPrint } from '../rank/fingerprint.ts'
import { textHash } from '../text-hash.ts'
import { pathStart } from '../url-parts.ts'
import { hostKeyOf } from './keys.ts'
import { titleStart } from './vocabulary.ts'

/** 25 us for a page of 5 KB, and a third of its size (2026-11). */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export class DocumentWriter {
  readonly #byUrl
  readonly #crawl
  readonly #insert
  readonly #insertText
  readonly #insertTerms
  readonly #insertTitle
  readonly #deletes
  readonly #deleteTitle
  readonly #crawls = new Map<string, number>()

  constructor(db: DatabaseSync) {
    this.#byUrl = db.prepare('select page_id, version, url, title from documents where url_hash = ?')
    this.#crawl = db.prepare(
      'insert into crawls (uuid) values (?) on conflict (uuid) do update set uuid = uuid returning id',
    )
    this.#insert = db.prepare(
      `insert into documents (page_id, crawl, url_id, lang, http_status, depth, size, inlinks, link_rank, visited_at,
         changed_at, expires_at, print_high, print_low, version, host_key, path_start, content_type, url_hash, url, title)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#insertText = db.prepare('insert into texts (page_id, text, keywords, entities) values (?, ?, ?, ?)')
    this.#insertTerms = db.prepare(
      `insert into terms (rowid, ${FIELDS.join(', ')}) values (?, ${FIELDS.map(() => '?').join(', ')})`,
    )
    this.#insertTitle = db.prepare('insert into titles (start, page_id) values (?, ?)')
    this.#deletes = [
      db.prepare('delete from documents where page_id = ?'),
      db.prepare('delete from texts where page_id = ?'),
      db.prepare('delete from terms where rowid = ?'),
    ]
    this.#deleteTitle = db.prepare('delete from titles where start = ? and page_id = ?')
  }

  /** Crawls may be numbered anew. */
  forget(): void {
    this.#crawls.clear()
  }

  crawlId(uuid: string): number {
    let id = this.#crawls.get(uuid)
    if (id === undefined) {
      id = Number(this.#crawl.get(uuid)?.['id'])
      this.#crawls.set(uuid, id)
    }
    return id
  }

  /** Replaces what is there of the url, unless that is of a later version. New: nothing was there. */
  put(document: IndexDocument): 'new' | 'replaced' | 'late' {
    const hash = textHash(document.url)
    const before = this.#find(hash, document.url)
    if (before !== null && before.version > document.version) return 'late'
    if (before !== null) this.remove(before.pageId, before.title)
    this.#write(document, hash)
    return before === null ? 'new' : 'replaced'
  }

  /** Removes the document of a url if it is of this version or an earlier one. */
  removeUpTo(url: string, version: number): void {
    const before = this.#find(textHash(url), url)
    if (before !== null && before.version <= version) this.remove(before.pageId, before.title)
  }

  remove(pageId: number, title: string): void {
    for (const statement of this.#deletes) statement.run(pageId)
    this.#deleteTitle.run(titleStart(title), pageId)
  }

  #find(hash: number, url: string): { pageId: number; version: number; title: string } | null {
    const row = this.#byUrl.all(hash).find((candidate) => candidate['url'] === url)
    if (row === undefined) return null
    return { pageId: Number(row['page_id']), version: Number(row['version']), title: String(row['title']) }
  }

  #write(document: IndexDocument, hash: number): void {
    const { pageId, url, title } = document
    const print = toPrint(document.fingerprint)
    this.#insert.run(
      pageId,
      this.crawlId(document.crawlId),
      document.urlId,
      document.lang,
      document.httpStatus,
      document.depth,
      document.contentLength,
      document.inlinks,
      document.linkRank,
      document.visitedAt,
      document.changedAt,
      document.expiresAt,
      print?.high ?? null,
      print?.low ?? null,
      document.version,
      hostKeyOf(url),
      pathStart(url),
      document.contentType,
      hash,
      url,
      title,
    )
    const { text, keywords, entities, terms } = document
    this.#insertText.run(pageId, zstdCompressSync(text, FAST), JSON.stringify(keywords), JSON.stringify(entities))
    this.#insertTerms.run(pageId, ...FIELDS.map((field) => terms[field]))
    this.#insertTitle.run(titleStart(title), pageId)
  }
}
