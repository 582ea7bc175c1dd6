// Page versions as readers see them.

import type { DatabaseSync } from 'node:sqlite'
import type { Position } from '../../ports/archive.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import { crawlRowId } from './crawls.ts'
import { urlHash } from './url-hash.ts'

const PIECE = 1000

const VERSION = `select p.id, p.visited_at, p.first_seen_at, p.changes, p.wire_bytes, p.charset, p.lang, p.description,
    p.keywords, p.words, p.resembles, p.note, u.url, c.uuid, v.http_status, v.content_type, v.content_length, v.content_hash, v.title,
    v.redirect_to, v.fetch_ms, cast(p.fingerprint as text) as fingerprint_text,
    s.name as payload_segment, k.offset as payload_offset, k.length as payload_length,
    r.name as record_segment, p.offset as record_offset, p.length as record_length,
    (select count(*) from pages q join urls w on w.id = q.url_id
     where q.url_hash = p.url_hash and w.url = u.url and (q.visited_at, q.id) <= (p.visited_at, p.id)) as version
  from pages p join urls u on u.id = p.url_id join crawls c on c.id = u.crawl
    left join visits v on v.url_id = p.url_id and v.attempt = p.attempt
    left join contents k on k.id = p.content left join segments s on s.id = k.segment
    left join segments r on r.id = p.segment`

export class SqlitePages implements Pages {
  readonly #db: DatabaseSync
  readonly #history
  readonly #byId

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#history = db.prepare(`${VERSION} where p.url_hash = ? and u.url = ? order by p.visited_at, p.id`)
    this.#byId = db.prepare(`${VERSION} where p.id = ?`)
  }

  async history(url: string): Promise<PageVersion[]> {
    return this.#history.all(urlHash(url), url).map(toVersion)
  }

  async find(pageId: number): Promise<PageVersion | null> {
    const row = this.#byId.get(pageId)
    return row === undefined ? null : toVersion(row)
  }

  async *ofCrawl(crawlId: string): AsyncGenerator<PageVersion> {
    const select = this.#db.prepare(`${VERSION} where p.id > ? and u.crawl = ? order by p.id limit ${PIECE}`)
    const crawl = crawlRowId(this.#db, crawlId)
    for (let last = 0; ; ) {
      const rows = select.all(last, crawl)
      for (const row of rows) yield toVersion(row)
      const end = rows.at(-1)
      if (end === undefined) return
      last = Number(end['id'])
    }
  }

  async *positions(): AsyncGenerator<Position & { pageId: number }> {
    const select = this.#db.prepare(
      `select p.id, s.name, p.offset, p.length from pages p join segments s on s.id = p.segment
       where p.id > ? order by p.id limit ${PIECE}`,
    )
    for (let last = 0; ; ) {
      const rows = select.all(last)
      for (const row of rows) {
        const [offset, length, pageId] = [Number(row['offset']), Number(row['length']), Number(row['id'])]
        yield { segment: String(row['name']), offset, length, pageId }
      }
      const end = rows.at(-1)
      if (end === undefined) return
      last = Number(end['id'])
    }
  }

  async goodOffsets(): Promise<Record<string, number>> {
    const rows = this.#db
      .prepare(
        `select s.name, coalesce((select k.offset + k.length from contents k where k.segment = s.id
           order by k.id desc limit 1), 0) as end from segments s order by s.id desc limit 100`,
      )
      .all()
    return Object.fromEntries(rows.map((row) => [String(row['name']), Number(row['end'])]))
  }
}

function toVersion(row: Record<string, unknown>): PageVersion {
  return {
    id: Number(row['id']),
    crawlId: String(row['uuid']),
    url: String(row['url']),
    version: Number(row['version']),
    visitedAt: Number(row['visited_at']),
    firstSeenAt: Number(row['first_seen_at']),
    changes: Number(row['changes']),
    httpStatus: row['http_status'] as number | null,
    contentType: row['content_type'] as string | null,
    contentLength: row['content_length'] as number | null,
    contentHash: row['content_hash'] instanceof Uint8Array ? Buffer.from(row['content_hash']).toString('hex') : null,
    title: row['title'] as string | null,
    redirectTo: row['redirect_to'] as string | null,
    fetchMs: row['fetch_ms'] as number | null,
    wireBytes: Number(row['wire_bytes']),
    charset: row['charset'] as string | null,
    lang: row['lang'] as string | null,
    description: row['description'] as string | null,
    keywords: row['keywords'] as string | null,
    words: row['words'] as number | null,
    fingerprint: row['fingerprint_text'] as string | null,
    resembles: row['resembles'] as number | null,
    note: row['note'] as string | null,
    record: toPosition(row, 'record'),
    payload: toPosition(row, 'payload'),
  }
}

function toPosition(row: Record<string, unknown>, of: 'record' | 'payload'): Position | null {
  const segment = row[`${of}_segment`]
  if (typeof segment !== 'string') return null
  return { segment, offset: Number(row[`${of}_offset`]), length: Number(row[`${of}_length`]) }
}
