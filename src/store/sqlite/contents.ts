// Which payloads the archive holds, by digest and by likeness, and the page versions that point at them.

import type { DatabaseSync } from 'node:sqlite'
import type { Contents, KnownContent, PageReport, WantedContent } from '../../ports/pages.ts'
import { Likeness } from './likeness.ts'
import { urlHash } from './url-hash.ts'

export interface KeptVisit {
  urlId: number
  url: string
  attempt: number
  visitedAt: number
}

export class SqliteContents implements Contents {
  readonly #byDigest
  readonly #segment
  readonly #addSegment
  readonly #addContent
  readonly #contentId
  readonly #lastVersion
  readonly #addPage
  readonly #likeness: Likeness
  #lastSegment = { name: '', id: 0 }

  constructor(db: DatabaseSync) {
    this.#byDigest = db.prepare(
      'select u.url, c.fetched_at from contents c join urls u on u.id = c.url_id where c.digest = ?',
    )
    this.#segment = db.prepare('select id from segments where name = ?')
    this.#addSegment = db.prepare('insert into segments (name) values (?) returning id')
    this.#addContent = db.prepare(
      `insert into contents (digest, segment, offset, length, url_id, fetched_at) values (?, ?, ?, ?, ?, ?)
       on conflict (digest) do nothing returning id`,
    )
    this.#contentId = db.prepare('select id from contents where digest = ?')
    this.#lastVersion = db.prepare(
      `select p.content, p.changes, p.first_seen_at from pages p join urls u on u.id = p.url_id
       where p.url_hash = ? and u.url = ? order by p.visited_at desc limit 1`,
    )
    this.#addPage = db.prepare(
      `insert into pages (url_id, attempt, url_hash, visited_at, content, wire_bytes, charset, lang, description, keywords,
         words, fingerprint, resembles, note, changes, first_seen_at, segment, offset, length)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
         coalesce(?16, (select first_seen_at from urls where id = ?1)), ?17, ?18, ?19)
       returning id`,
    )
    this.#likeness = new Likeness(db)
  }

  async find(wanted: WantedContent[]): Promise<KnownContent[]> {
    return wanted.map(({ digest, fingerprint }) => {
      const row = this.#byDigest.get(Buffer.from(digest, 'hex'))
      const sameAs = row === undefined ? null : { url: String(row['url']), fetchedAt: Number(row['fetched_at']) }
      return { sameAs, resembles: fingerprint === null ? null : this.#likeness.nearest(fingerprint) }
    })
  }

  /** Writes one version of a url; the payload it points at is written once. */
  add(visit: KeptVisit, page: PageReport): void {
    const segment = page.position === null ? null : this.#segmentId(page.position.segment)
    const content = this.#contentOf(page, segment, visit)
    const hash = urlHash(visit.url)
    const last = this.#lastVersion.get(hash, visit.url)
    const isChanged = last !== undefined && Number(last['content']) !== content
    const resembles = page.resembles ?? (page.fingerprint === null ? null : this.#likeness.nearest(page.fingerprint))
    const row = this.#addPage.get(
      visit.urlId,
      visit.attempt,
      hash,
      visit.visitedAt,
      content,
      page.wireBytes,
      page.charset,
      page.lang,
      page.description,
      page.keywords,
      page.words,
      page.fingerprint,
      resembles,
      page.note,
      last === undefined ? 0 : Number(last['changes']) + (isChanged ? 1 : 0),
      last === undefined ? null : Number(last['first_seen_at']),
      segment,
      page.position?.offset ?? null,
      page.position?.length ?? null,
    )
    // A page that resembles another adds nothing to be found: what resembles it resembles that other one too, nearly.
    if (page.fingerprint !== null && resembles === null && row !== undefined) {
      this.#likeness.add(page.fingerprint, Number(row['id']))
    }
  }

  /** The payload's row: a new one, unless another page brought the same payload before. */
  #contentOf({ position, hasPayload, digest }: PageReport, segment: number | null, visit: KeptVisit): number | null {
    if (position === null) return null
    const key = Buffer.from(digest, 'hex')
    const { offset, length } = position
    const added = hasPayload
      ? this.#addContent.get(key, segment, offset, length, visit.urlId, visit.visitedAt)
      : undefined
    return Number((added ?? this.#contentId.get(key))?.['id'])
  }

  #segmentId(name: string): number {
    if (this.#lastSegment.name !== name) {
      this.#lastSegment = { name, id: Number((this.#segment.get(name) ?? this.#addSegment.get(name))?.['id']) }
    }
    return this.#lastSegment.id
  }
}
