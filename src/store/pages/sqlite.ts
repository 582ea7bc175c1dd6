// Page versions as readers see them.

import type { DatabaseSync } from 'node:sqlite'
import type {
  OrphanedSegment,
  PageData,
  PageOwner,
  PageReference,
  PageRetention,
  Pages,
  PageToIndex,
  PageVersion,
} from '../../ports/pages.ts'
import { crawlRowId } from '../crawls/sqlite.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { toPageData, toPageReferences, toPageVersion } from './page-version.ts'

const BATCH_ROWS = 1000

// The near-duplicate may be gone.
const COLUMNS = `p.id, p.version, p.visited_at, p.expires_at, p.first_seen_at, p.changes, p.wire_bytes, p.charset, p.lang, p.description,
    p.keywords, p.words, p.note, p.segment is not null as is_kept, u.url, u.kind, c.uuid, v.http_status, v.content_type, v.content_length, v.content_hash, v.title,
    v.redirect_to, v.canonical, v.noindex, v.fetch_ms, cast(p.fingerprint as text) as fingerprint_text,
    s.name as payload_segment, k.offset as payload_offset, k.length as payload_length,
    r.name as record_segment, p.offset as record_offset, p.length as record_length,
    k.digest, k.is_damaged, (select q.id from pages q where q.id = p.resembles) as resembles`
const TABLES = `from pages p join urls u on u.id = p.url_id join crawls c on c.id = u.crawl
    left join visits v on v.url_id = p.url_id and v.attempt = p.attempt
    left join contents k on k.id = p.content left join segments s on s.id = k.segment
    left join segments r on r.id = p.segment`
const VERSION_QUERY = `select ${COLUMNS} ${TABLES}`

/** SQL: the end of the last of these records within the given bytes. */
const lastEndWithin = (from: string, where: string) =>
  `coalesce((select max(p.offset + p.length) from ${from} where ${where} and p.offset + p.length <= ?2), 0)`

export class SqlitePages implements Pages {
  readonly #db: DatabaseSync
  readonly #history
  readonly #byId
  readonly #nearest
  readonly #after
  readonly #retention
  readonly #newest
  readonly #data
  readonly #newestData

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#history = db.prepare(`${VERSION_QUERY} where p.url_hash = ? and u.url = ? order by p.version, p.id`)
    this.#byId = db.prepare(`${VERSION_QUERY} where p.id = ?`)
    this.#nearest = db.prepare(
      `${VERSION_QUERY} where p.url_hash = ? and u.url = ? and c.uuid = ? and p.segment is not null
       order by abs(p.visited_at - ?), p.id desc limit 1`,
    )
    this.#after = db.prepare(
      `select ${COLUMNS}, p.url_id, u.depth, (select min(q.visited_at) from pages q
         where q.url_hash = p.url_hash and q.changes = p.changes and q.version <= p.version) as changed_at
       ${TABLES} where p.id > ? order by p.id limit ?`,
    )
    this.#retention = db.prepare('select p.id, p.expires_at from json_each(?) j join pages p on p.id = j.value')
    this.#newest = db.prepare('select coalesce(max(id), 0) as id from pages')
    this.#data = db.prepare('select data from pages where id = ?')
    this.#newestData = db.prepare('select data from pages where url_hash = ? and url_id = ? order by id desc limit 1')
  }

  async history(url: string): Promise<PageVersion[]> {
    return this.#history.all(urlHash(url), url).map(toPageVersion)
  }

  async find(pageId: number): Promise<PageVersion | null> {
    const row = this.#byId.get(pageId)
    return row === undefined ? null : toPageVersion(row)
  }

  async findNearest(crawlId: string, url: string, at: number): Promise<PageVersion | null> {
    const row = this.#nearest.get(urlHash(url), url, crawlId, at)
    return row === undefined ? null : toPageVersion(row)
  }

  async *listByCrawl(crawlId: string): AsyncGenerator<PageVersion> {
    const text = `${VERSION_QUERY} where p.id > ? and u.crawl = ? order by p.id limit ${BATCH_ROWS}`
    for (const row of this.#batches(text, crawlRowId(this.#db, crawlId))) yield toPageVersion(row)
  }

  async *references(): AsyncGenerator<PageReference> {
    const text = `select p.id, k.digest, r.name as record_segment, p.offset as record_offset, p.length as record_length,
         s.name as payload_segment, k.offset as payload_offset, k.length as payload_length
       from pages p left join segments r on r.id = p.segment
         left join contents k on k.id = p.content left join segments s on s.id = k.segment
       where p.id > ? and p.segment is not null order by p.id limit ${BATCH_ROWS}`
    for (const row of this.#batches(text)) yield* toPageReferences(row)
  }

  async lastReferencedOffsets(segments: OrphanedSegment[]): Promise<Record<string, number>> {
    const select = this.#db.prepare(
      `select max(${lastEndWithin('pages p', 'p.segment = s.id')},
         ${lastEndWithin('contents p', 'p.segment = s.id and p.is_alone = 1')}) as good from segments s where s.name = ?1`,
    )
    return Object.fromEntries(
      segments.map(({ segment, bytes }) => [segment, Number(select.get(segment, bytes)?.['good'] ?? 0)]),
    )
  }

  async listAfter(pageId: number, limit: number): Promise<PageToIndex[]> {
    return this.#after.all(pageId, limit).map((row) => ({
      version: toPageVersion(row),
      urlId: Number(row['url_id']),
      depth: Number(row['depth']),
      changedAt: Number(row['changed_at']),
    }))
  }

  async retentionOf(pageIds: number[]): Promise<(PageRetention | null)[]> {
    const rows = this.#retention.all(JSON.stringify(pageIds))
    const kept = new Map(rows.map((row) => [Number(row['id']), { expiresAt: row['expires_at'] as number | null }]))
    return pageIds.map((id) => kept.get(id) ?? null)
  }

  async newestId(): Promise<number> {
    return Number(this.#newest.get()?.['id'])
  }

  async dataOf(pageId: number): Promise<PageData | null> {
    return toPageData(this.#data.get(pageId))
  }

  async *dataOfCrawl(crawlId: string): AsyncGenerator<PageData> {
    const text = `select p.id, p.data from pages p join urls u on u.id = p.url_id
       where p.id > ? and u.crawl = ? and p.data is not null order by p.id limit ${BATCH_ROWS}`
    for (const row of this.#batches(text, crawlRowId(this.#db, crawlId))) {
      const data = toPageData(row)
      if (data !== null) yield data
    }
  }

  async dataOfUrls(_: string, urls: readonly PageOwner[]): Promise<Map<number, PageData>> {
    const found = new Map<number, PageData>()
    for (const { id, url } of urls) {
      const data = toPageData(this.#newestData.get(urlHash(url), id))
      if (data !== null) found.set(id, data)
    }
    return found
  }

  /** Rows of a statement whose first parameter is the last id that was read. */
  *#batches(text: string, ...values: number[]): Generator<Record<string, unknown>> {
    const select = this.#db.prepare(text)
    for (let last = 0; ; ) {
      const rows = select.all(last, ...values)
      yield* rows
      const end = rows.at(-1)
      if (end === undefined) return
      last = Number(end['id'])
    }
  }
}
