// Archived payloads, looked up by digest and by fingerprint, and the page versions that refer to them.

import type { DatabaseSync } from 'node:sqlite'
import { isContentChanged } from '../../frontier/page-versions.ts'
import { AppError } from '../../lib/errors.ts'
import type { ContentQuery, Contents, KnownContent, PageReport } from '../../ports/pages.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { toKnownPayload } from './known-payload.ts'
import { isSameVersion, type VersionFacts } from './page-version.ts'
import { type DamagedRecord, markDamaged, PayloadRepair } from './sqlite-damage.ts'
import { type NearDuplicates, NO_NEAR_DUPLICATE } from './sqlite-near-duplicates.ts'
import type { SegmentIds } from './sqlite-segments.ts'

export interface ArchivedVisit {
  urlId: number
  url: string
  attempt: number
  facts: VersionFacts & { visitedAt: number }
  /** Null if the version never expires. */
  expiresAt: number | null
}

export class SqliteContents implements Contents {
  readonly #db: DatabaseSync
  readonly #byDigest
  readonly #addContent
  readonly #useContent
  readonly #lastVersion
  readonly #addPage
  readonly #extend
  readonly #repair: PayloadRepair
  readonly #segments: SegmentIds
  readonly #nearDuplicates: NearDuplicates
  #lastPage: number

  constructor(db: DatabaseSync, segments: SegmentIds, nearDuplicates: NearDuplicates) {
    this.#db = db
    this.#repair = new PayloadRepair(db)
    this.#segments = segments
    this.#nearDuplicates = nearDuplicates
    // An unused payload may be deleted before a report that relies on it arrives.
    this.#byDigest = db.prepare(
      `select coalesce(c.url, u.url) as url, c.fetched_at, c.is_damaged from contents c left join urls u on u.id = c.url_id
       where c.digest = ? and c.unused_since is null`,
    )
    this.#addContent = db.prepare(
      `insert into contents (digest, segment, offset, length, url_id, fetched_at) values (?, ?, ?, ?, ?, ?)
       on conflict (digest) do update set uses = uses + 1, unused_since = null returning id, is_damaged`,
    )
    this.#useContent = db.prepare(
      'update contents set uses = uses + 1, unused_since = null where digest = ? returning id',
    )
    this.#lastVersion = db.prepare(
      `select coalesce(v.content_hash, c.digest) as content, p.changes, p.first_seen_at, p.version, p.url_id,
         c.is_damaged, v.content_type, v.canonical, v.noindex
       from pages p join urls u on u.id = p.url_id left join contents c on c.id = p.content
         left join visits v on v.url_id = p.url_id and v.attempt = p.attempt
       where p.url_hash = ? and u.url = ? order by p.version desc, p.id desc limit 1`,
    )
    this.#addPage = db.prepare(
      `insert into pages (id, expires_at, version, url_id, attempt, url_hash, visited_at, content, wire_bytes, charset, lang, description, keywords,
         words, fingerprint, resembles, note, changes, first_seen_at, segment, offset, length, data)
       values (?20, ?21, ?22, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
         coalesce(?16, (select first_seen_at from urls where id = ?1)), ?17, ?18, ?19, ?23)`,
    )
    this.#extend = db.prepare(
      `update pages set expires_at = ?1 where url_hash = ?2 and url_id = ?3 and (?1 is null or expires_at < ?1)
         and id = (select max(id) from pages where url_hash = ?2 and url_id = ?3)`,
    )
    const ids = db.prepare('select max(last, coalesce((select max(id) from pages), 0)) as last from page_ids').get()
    this.#lastPage = Number(ids?.['last'])
  }

  async find(wanted: ContentQuery[]): Promise<KnownContent[]> {
    return wanted.map(({ url, digest, fingerprint }) => {
      const row = this.#byDigest.get(Buffer.from(digest, 'hex'))
      const resembles = fingerprint === null ? null : this.#nearDuplicates.find(fingerprint, url).page
      return { ...toKnownPayload(row), resembles }
    })
  }

  async markDamaged(places: DamagedRecord[]): Promise<number> {
    return markDamaged(this.#db, places)
  }

  /** The last version of a URL in its crawl was found unchanged. */
  extendVersion({ id, url }: { id: number; url: string }, expiresAt: number | null): void {
    this.#extend.run(expiresAt, urlHash(url), id)
  }

  /**
   * Writes one version of a URL. Its payload is written once. `isRevisited`: the crawl visits URLs again, so a
   * version that equals the last one of the same crawl is left out. Returns the id of the version; null if it was
   * left out.
   */
  addVersion(visit: ArchivedVisit, page: PageReport, isRevisited: boolean): number | null {
    const hash = urlHash(visit.url)
    const last = this.#lastVersion.get(hash, visit.url)
    const contentHash = visit.facts.contentHash ?? page.digest
    const before = last?.['content'] instanceof Uint8Array ? last['content'] : null
    const isChanged = isContentChanged(before, contentHash)
    if (isRevisited && last !== undefined && last['url_id'] === visit.urlId && before !== null && !isChanged) {
      if (last['is_damaged'] !== 1 && isSameVersion(last, visit.facts)) {
        this.#extend.run(visit.expiresAt, hash, visit.urlId)
        return null
      }
    }
    const segment = page.position === null ? null : this.#segments.findOrAdd(page.position.segment)
    const content = this.#contentOf(page, segment, visit)
    const nearDuplicate =
      page.fingerprint === null ? NO_NEAR_DUPLICATE : this.#nearDuplicates.find(page.fingerprint, visit.url)
    const resembles = page.resembles ?? nearDuplicate.page
    this.#lastPage += 1
    this.#addPage.run(
      visit.urlId,
      visit.attempt,
      hash,
      visit.facts.visitedAt,
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
      this.#lastPage,
      visit.expiresAt,
      last === undefined ? 1 : Number(last['version']) + 1,
      page.data,
    )
    // A near-duplicate adds no entry: whatever is near it is near the other page too, approximately.
    if (page.fingerprint !== null && resembles === null && !nearDuplicate.isOwn)
      this.#nearDuplicates.add(page.fingerprint, this.#lastPage)
    return this.#lastPage
  }

  /** The row of the payload: a new one, unless another page has archived the same payload. */
  #contentOf(
    { position, hasPayload, digest }: PageReport,
    segment: number | null,
    visit: ArchivedVisit,
  ): number | null {
    if (position === null) return null
    const key = Buffer.from(digest, 'hex')
    const { offset, length } = position
    const row = hasPayload
      ? this.#addContent.get(key, segment, offset, length, visit.urlId, visit.facts.visitedAt)
      : this.#useContent.get(key)
    if (row === undefined)
      throw new AppError('INTERNAL', `The payload of ${visit.url} is neither archived nor in the report.`)
    const id = Number(row['id'])
    if (row['is_damaged'] === 1) {
      this.#repair.repair(id, { segment, offset, length, urlId: visit.urlId, fetchedAt: visit.facts.visitedAt })
    }
    return id
  }
}
