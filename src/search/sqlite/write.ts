// Documents written, replaced and removed. Every call is part of a transaction of the feed.

import type { DatabaseSync } from 'node:sqlite'
import { FIELDS, type IndexDocument } from '../../ports/search.ts'
import { toPrint } from '../rank/fingerprint.ts'
import { textHash } from '../text-hash.ts'
import { pathStart } from '../url-parts.ts'
import { hostKeyOf } from './keys.ts'
import { siteTerms } from './site-terms.ts'
import { TextBlockWriter } from './text-blocks.ts'
import { titleStart } from './vocabulary.ts'

/** What is needed to remove a document. */
export interface Written {
  pageId: number
  title: string
}

export class DocumentWriter {
  readonly #byUrl
  readonly #crawl
  readonly #insert
  readonly #texts
  readonly #insertTerms
  readonly #insertTitle
  readonly #delete
  readonly #deleteTerms
  readonly #deleteTitle
  readonly #crawls = new Map<string, number>()

  constructor(db: DatabaseSync) {
    this.#byUrl = db.prepare('select page_id, version, url, title from documents where url_hash = ?')
    this.#crawl = db.prepare(
      'insert into crawls (uuid) values (?) on conflict (uuid) do update set uuid = uuid returning id',
    )
    this.#insert = db.prepare(
      `insert into documents (page_id, crawl, url_id, lang, http_status, depth, size, inlinks, link_rank, visited_at,
         changed_at, expires_at, print_high, print_low, version, host_key, path_start, content_type, url_hash, url, title, block, place)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#texts = new TextBlockWriter(db)
    this.#insertTerms = db.prepare(
      `insert into terms (rowid, ${FIELDS.join(', ')}, site) values (?, ${FIELDS.map(() => '?').join(', ')}, ?)`,
    )
    this.#insertTitle = db.prepare('insert into titles (start, page_id) values (?, ?)')
    this.#delete = db.prepare('delete from documents where page_id = ? returning block')
    this.#deleteTerms = db.prepare('delete from terms where rowid = ?')
    this.#deleteTitle = db.prepare('delete from titles where start = ? and page_id = ?')
  }

  /** Before the end of every transaction. */
  flush(): void {
    this.#texts.flush()
  }

  /** The transaction came to nothing: crawls may be numbered anew. */
  forget(): void {
    this.#crawls.clear()
    this.#texts.forget()
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
    if (before !== null) this.remove(before)
    this.#write(document, hash)
    return before === null ? 'new' : 'replaced'
  }

  /** Removes the document of a url if it is of this version or an earlier one. */
  removeUpTo(url: string, version: number): void {
    const before = this.#find(textHash(url), url)
    if (before !== null && before.version <= version) this.remove(before)
  }

  remove({ pageId, title }: Written): void {
    const row = this.#delete.get(pageId)
    this.#deleteTerms.run(pageId)
    this.#deleteTitle.run(titleStart(title), pageId)
    this.#texts.remove(Number(row?.['block']))
  }

  #find(hash: number, url: string): (Written & { version: number }) | null {
    const row = this.#byUrl.all(hash).find((candidate) => candidate['url'] === url)
    return row === undefined ? null : { ...toWritten(row), version: Number(row['version']) }
  }

  #write(document: IndexDocument, hash: number): void {
    const { pageId, url, title } = document
    const print = toPrint(document.fingerprint)
    const { block, place } = this.#texts.add(pageId, document)
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
      block,
      place,
    )
    this.#insertTerms.run(pageId, ...FIELDS.map((field) => document.terms[field]), siteTerms(url))
    this.#insertTitle.run(titleStart(title), pageId)
  }
}

export function toWritten(row: Record<string, unknown>): Written {
  return { pageId: Number(row['page_id']), title: String(row['title']) }
}
