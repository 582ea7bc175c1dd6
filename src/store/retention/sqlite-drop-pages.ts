// Deletes expired versions, then payloads that no version uses. A record with a payload is needed as long as the
// payload is, even without its version; its bytes are dead when neither needs them. The payload keeps the text of its
// URL, since the row of the URL may be deleted.

import type { DatabaseSync } from 'node:sqlite'
import { urlHash } from '../encoding/url-hash.ts'
import type { NearDuplicates } from '../pages/sqlite-near-duplicates.ts'

type Row = Record<string, unknown>

const COLUMNS = `p.id, p.segment, p.offset, p.length, p.content, p.resembles,
  cast(p.fingerprint as text) as fingerprint_text`

export class PageRemover {
  readonly #nearDuplicates: NearDuplicates
  readonly #expired
  readonly #expiredWithoutRecord
  readonly #ofUrl
  readonly #rememberIds
  readonly #deletePage
  readonly #release
  readonly #keepPayload
  readonly #unused
  readonly #deleteContent
  readonly #addDead

  constructor(db: DatabaseSync, nearDuplicates: NearDuplicates) {
    this.#nearDuplicates = nearDuplicates
    this.#expired = db.prepare(
      `select ${COLUMNS} from segments s cross join pages p indexed by pages_segment
       where p.segment = s.id and p.expires_at <= ? limit ?`,
    )
    this.#expiredWithoutRecord = db.prepare(
      `select ${COLUMNS} from pages p indexed by pages_segment where p.segment is null and p.expires_at <= ? limit ?`,
    )
    this.#ofUrl = db.prepare(`select ${COLUMNS} from pages p where p.url_hash = ? and p.url_id = ?`)
    this.#rememberIds = db.prepare('update page_ids set last = max(last, coalesce((select max(id) from pages), 0))')
    this.#deletePage = db.prepare('delete from pages where id = ?')
    this.#release = db.prepare(
      `update contents set uses = uses - 1, unused_since = case when uses = 1 then ? end where id = ?
       returning segment, offset`,
    )
    this.#keepPayload = db.prepare(
      `update contents set is_alone = 1, url_id = 0,
         url = coalesce(url, (select u.url from urls u where u.id = contents.url_id)) where id = ?`,
    )
    this.#unused = db.prepare('select id, segment, length from contents where unused_since <= ? limit ?')
    this.#deleteContent = db.prepare('delete from contents where id = ?')
    this.#addDead = db.prepare('update segments set dead_bytes = dead_bytes + ? where id = ?')
  }

  dropExpired(now: number, limit: number): number {
    const rows = this.#expired.all(now, limit)
    if (rows.length < limit) rows.push(...this.#expiredWithoutRecord.all(now, limit - rows.length))
    return this.#drop(rows, now)
  }

  /** Drops all versions of these URLs in one crawl. */
  dropOfUrls(urls: { id: number; url: string }[], now: number): number {
    return this.#drop(
      urls.flatMap(({ id, url }) => this.#ofUrl.all(urlHash(url), id)),
      now,
    )
  }

  #drop(rows: Row[], now: number): number {
    if (rows.length > 0) this.#rememberIds.run()
    for (const row of rows) this.#dropPage(row, now)
    return rows.length
  }

  dropUnused(since: number, limit: number): number {
    const rows = this.#unused.all(since, limit)
    for (const { id, segment, length } of rows) {
      this.#deleteContent.run(id as number)
      this.#addDead.run(length as number, segment as number)
    }
    return rows.length
  }

  #dropPage(row: Row, now: number): void {
    this.#deletePage.run(row['id'] as number)
    const { fingerprint_text: fingerprint, resembles } = row
    // A near-duplicate never had an entry.
    if (typeof fingerprint === 'string' && resembles === null) {
      this.#nearDuplicates.remove(BigInt(fingerprint), Number(row['id']))
    }
    if (row['segment'] === null) return
    const content = this.#release.get(now, row['content'] as number | null)
    const hasPayload = content?.['segment'] === row['segment'] && content?.['offset'] === row['offset']
    if (hasPayload) this.#keepPayload.run(row['content'] as number)
    else this.#addDead.run(row['length'] as number, row['segment'] as number)
  }
}
