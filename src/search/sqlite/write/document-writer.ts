// Writes, replaces and removes documents. Every call is part of a transaction of the feed.

import type { DatabaseSync } from 'node:sqlite'
import { pathStart } from '../../../engine/url/url-key.ts'
import { FIELDS, type IndexDocument } from '../../../ports/search.ts'
import { entityTerms } from '../../entity-terms.ts'
import type { CountedDocument } from '../../host-counts.ts'
import { ownLanguage } from '../../host-languages.ts'
import { parseFingerprint } from '../../rank/fingerprint.ts'
import { BagPacker } from '../../rank/term-bag.ts'
import { textHash } from '../../text-hash.ts'
import { hostOf } from '../../url-parts.ts'
import { urlHostKey } from '../host-key.ts'
import { titleKey } from '../read/suggestions.ts'
import { fingerprintTerms, siteTerms } from '../site-terms.ts'
import { TextBlockWriter } from '../text-blocks.ts'
import { packDocumentLines, type StoredHostCounts, unpackDocumentLines } from './host-counts.ts'
import { packPossibleLangs, unpackPossibleLangs } from './language-updates.ts'

/** The values needed to remove a document. */
export interface DocumentRef {
  pageId: number
  url: string
  title: string
}

export class DocumentWriter {
  readonly #hosts: StoredHostCounts
  readonly #byUrl
  readonly #crawl
  readonly #insert
  readonly #texts
  readonly #insertTerms
  readonly #insertImpacts
  readonly #insertBag
  readonly #insertTitle
  readonly #deleteDocument
  readonly #deleteTerms
  readonly #deleteImpacts
  readonly #deleteBag
  readonly #deleteTitle
  readonly #addTotals
  readonly #addLanguage
  readonly #bags = new BagPacker()
  readonly #crawls = new Map<string, number>()
  /** Added to the totals at the end of the transaction. */
  #added = noTotals()

  constructor(db: DatabaseSync, hosts: StoredHostCounts) {
    this.#hosts = hosts
    this.#byUrl = db.prepare('select page_id, version, url, title from documents where url_hash = ?')
    this.#crawl = db.prepare(
      'insert into crawls (uuid) values (?) on conflict (uuid) do update set uuid = uuid returning id',
    )
    this.#insert = db.prepare(
      `insert into documents (page_id, crawl, url_id, lang, possible_langs, http_status, depth, size, inlinks, link_rank, visited_at,
         changed_at, expires_at, print_high, print_low, version, host_key, path_start, content_type, url_hash, url, title, block, place)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#texts = new TextBlockWriter(db)
    this.#insertTerms = db.prepare(
      `insert into terms (rowid, ${FIELDS.join(', ')}, site) values (?, ${FIELDS.map(() => '?').join(', ')}, ?)`,
    )
    this.#insertImpacts = db.prepare('insert into impacts (rowid, terms) values (?, ?)')
    this.#insertBag = db.prepare('insert into bags (page_id, length, content, lines, repeated) values (?, ?, ?, ?, ?)')
    this.#insertTitle = db.prepare('insert into titles (start, page_id) values (?, ?)')
    this.#deleteDocument = db.prepare('delete from documents where page_id = ? returning block, lang, possible_langs')
    this.#deleteTerms = db.prepare('delete from terms where rowid = ?')
    this.#deleteImpacts = db.prepare('delete from impacts where rowid = ?')
    this.#deleteBag = db.prepare('delete from bags where page_id = ? returning length, lines')
    this.#deleteTitle = db.prepare('delete from titles where start = ? and page_id = ?')
    this.#addTotals = db.prepare('update totals set documents = documents + ?, terms = terms + ?')
    this.#addLanguage = db.prepare(
      'insert into languages (lang, documents) values (?1, ?2) on conflict do update set documents = documents + ?2',
    )
  }

  /** Call before each commit. */
  flush(): void {
    this.#texts.flush()
    this.#hosts.flush()
    this.#addTotals.run(this.#added.documents, this.#added.terms)
    for (const [lang, documents] of this.#added.byLang) this.#addLanguage.run(lang, documents)
    this.#added = noTotals()
  }

  /** Call after a rollback: crawls may get other numbers. */
  rollback(): void {
    this.#crawls.clear()
    this.#texts.rollback()
    this.#hosts.rollback()
    this.#added = noTotals()
  }

  crawlId(uuid: string): number {
    let id = this.#crawls.get(uuid)
    if (id === undefined) {
      id = Number(this.#crawl.get(uuid)?.['id'])
      this.#crawls.set(uuid, id)
    }
    return id
  }

  /** Replaces the document of the URL, unless that has a later version. `new` means the URL had none. */
  put(document: IndexDocument): 'new' | 'replaced' | 'late' {
    const hash = textHash(document.url)
    const before = this.#find(hash, document.url)
    if (before !== null && before.version > document.version) return 'late'
    // A reindexed page is already counted.
    const isReindexed = before?.pageId === document.pageId
    if (before !== null) {
      const counted = this.#delete(before)
      if (!isReindexed) this.#hosts.remove(document.host, counted)
    }
    this.#write(document, hash)
    if (!isReindexed) this.#hosts.add(document.host, { lines: document.lines, ownLang: ownLanguage(document) })
    return before === null ? 'new' : 'replaced'
  }

  /** Removes the document of a URL if its version is not later than this one. */
  removeUpToVersion(url: string, version: number): void {
    const before = this.#find(textHash(url), url)
    if (before !== null && before.version <= version) this.remove(before)
  }

  remove(documentRef: DocumentRef): void {
    this.#hosts.remove(hostOf(documentRef.url), this.#delete(documentRef))
  }

  /** Returns the counts that the removed document contributed. */
  #delete({ pageId, title }: DocumentRef): Omit<CountedDocument, 'version'> {
    const row = this.#deleteDocument.get(pageId)
    const lang = (row?.['lang'] ?? null) as string | null
    this.#deleteTerms.run(pageId)
    this.#deleteImpacts.run(pageId)
    const bag = this.#deleteBag.get(pageId)
    this.#count(-1, -Number(bag?.['length'] ?? 0), lang)
    this.#deleteTitle.run(titleKey(title), pageId)
    this.#texts.remove(Number(row?.['block']))
    const possibleLangs = unpackPossibleLangs((row?.['possible_langs'] ?? null) as string | null)
    const lines = bag === undefined ? [] : unpackDocumentLines(bag['lines'] as Uint8Array)
    return { lines, ownLang: ownLanguage({ lang, possibleLangs }) }
  }

  #count(documents: 1 | -1, terms: number, lang: string | null): void {
    const { byLang } = this.#added
    this.#added.documents += documents
    this.#added.terms += terms
    byLang.set(lang ?? '', (byLang.get(lang ?? '') ?? 0) + documents)
  }

  #find(hash: number, url: string): (DocumentRef & { version: number }) | null {
    const row = this.#byUrl.all(hash).find((candidate) => candidate['url'] === url)
    return row === undefined ? null : { ...toDocumentRef(row), version: Number(row['version']) }
  }

  #write(document: IndexDocument, hash: number): void {
    const { pageId, url, title } = document
    const fingerprint = parseFingerprint(document.fingerprint)
    const { block, place } = this.#texts.add(pageId, document)
    this.#insert.run(
      pageId,
      this.crawlId(document.crawlId),
      document.urlId,
      document.lang,
      packPossibleLangs(document.possibleLangs),
      document.httpStatus,
      document.depth,
      document.contentLength,
      document.inlinks,
      document.linkRank,
      document.visitedAt,
      document.changedAt,
      document.expiresAt,
      fingerprint?.high ?? null,
      fingerprint?.low ?? null,
      document.version,
      urlHostKey(url),
      pathStart(url),
      document.contentType,
      hash,
      url,
      title,
      block,
      place,
    )
    const site = [siteTerms(url), ...entityTerms(document.entities)].join(' ')
    this.#insertTerms.run(pageId, ...FIELDS.map((field) => document.terms[field]), site)
    const bag = this.#bags.packWithImpacts(document.terms)
    this.#insertImpacts.run(pageId, `${bag.impacts}${site} ${fingerprintTerms(fingerprint)}`)
    const [lines, repeated] = [packDocumentLines(document.lines), packDocumentLines(document.repeated)]
    this.#insertBag.run(pageId, bag.length, bag.content, lines, repeated)
    this.#count(1, bag.length, document.lang)
    this.#insertTitle.run(titleKey(title), pageId)
  }
}

function noTotals() {
  return { documents: 0, terms: 0, byLang: new Map<string, number>() }
}

export function toDocumentRef(row: Record<string, unknown>): DocumentRef {
  return { pageId: Number(row['page_id']), url: String(row['url']), title: String(row['title']) }
}
