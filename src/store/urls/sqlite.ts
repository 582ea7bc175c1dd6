// Rows for exports, read in batches by id, so that neither memory nor a read transaction grows with the crawl.

import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Edge, FailedCheck, UrlRow, Urls } from '../../ports/urls.ts'
import { crawlRowId } from '../crawls/sqlite.ts'
import { decodeLinkKeys } from '../encoding/link-keys.ts'
import { verifyCrawl } from './sqlite-verify.ts'
import { toUrlRow } from './url-row.ts'

/** About 10 ms of reading, after which other users of the thread get their turn. */
const BATCH_ROWS = 500
/** Most links lead to few pages. A lookup of a known id saves 4 us (2026-11). */
const MAX_KNOWN_IDS = 100_000

export class SqliteUrls implements Urls {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async *rows(crawlId: string, after = 0): AsyncGenerator<UrlRow> {
    const select = this.#db.prepare(
      `select u.id, u.url, u.state, u.reason, u.depth, u.rank, u.attempts, u.parent, u.first_seen_at,
         v.http_status, v.content_type, v.content_length, v.content_hash, v.title, v.redirect_to, v.fetch_ms, v.ip,
         v.visited_at, u.kind, v.canonical, v.noindex, v.cname, v.proxy, v.thread, v.processing_ms, l.lastmod, l.changefreq, l.priority as listed_priority, s.url_id is not null as is_from_script
       from urls u left join visits v on v.url_id = u.id and v.attempt = u.attempts
         left join listings l on l.url_id = u.id left join script_urls s on s.url_id = u.id
       where u.id > ? and u.crawl = ? order by u.id limit ${BATCH_ROWS}`,
    )
    const crawl = crawlRowId(this.#db, crawlId)
    for (let last = after; ; ) {
      const rows = select.all(last, crawl)
      for (const row of rows) yield toUrlRow(row)
      const end = rows.at(-1)
      if (end === undefined) return
      last = Number(end['id'])
      await turn()
    }
  }

  async *edges(crawlId: string): AsyncGenerator<Edge> {
    const crawl = crawlRowId(this.#db, crawlId)
    const pages = this.#db.prepare(
      `select l.url_id, l.targets from urls u join links l on l.url_id = u.id
       where u.id > ? and u.crawl = ? order by u.id limit ${BATCH_ROWS}`,
    )
    const idOf = this.#db.prepare('select id from urls where crawl = ? and key = ?')
    const known = new Map<bigint, number | null>()
    for (let last = 0; ; ) {
      const rows = pages.all(last, crawl)
      for (const row of rows) {
        const from = Number(row['url_id'])
        for (const key of decodeLinkKeys(row['targets'])) {
          let to = known.get(key)
          if (to === undefined) {
            const found = idOf.get(crawl, key)
            to = found === undefined ? null : Number(found['id'])
            if (known.size < MAX_KNOWN_IDS) known.set(key, to)
          }
          if (to !== null) yield { from, to }
        }
      }
      const end = rows.at(-1)
      if (end === undefined) return
      last = Number(end['url_id'])
      await turn()
    }
  }

  async urlsOf(_crawlId: string, ids: readonly number[]): Promise<Map<number, string>> {
    const urlOf = this.#db.prepare('select url from urls where id = ?')
    return new Map(
      ids.flatMap((id): [number, string][] => {
        const row = urlOf.get(id)
        return row === undefined ? [] : [[id, String(row['url'])]]
      }),
    )
  }

  async verify(crawlId: string): Promise<FailedCheck[]> {
    return verifyCrawl(this.#db, crawlRowId(this.#db, crawlId))
  }
}
