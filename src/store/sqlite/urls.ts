// Rows for exports, read in pieces by id so that neither memory nor a read transaction grows with the crawl.

import type { DatabaseSync } from 'node:sqlite'
import { type Listing, URL_KINDS } from '../../ports/frontier.ts'
import type { Edge, Finding, UrlRow, Urls } from '../../ports/urls.ts'
import { audit } from './audit.ts'
import { stateOf } from './codes.ts'
import { crawlRowId } from './crawls.ts'
import { readKeys } from './link-keys.ts'

const PIECE = 2000

export class SqliteUrls implements Urls {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async *rows(crawlId: string): AsyncGenerator<UrlRow> {
    const select = this.#db.prepare(
      `select u.id, u.url, u.state, u.reason, u.depth, u.rank, u.attempts, u.parent, u.first_seen_at,
         v.http_status, v.content_type, v.content_length, v.content_hash, v.title, v.redirect_to, v.fetch_ms, v.ip,
         v.visited_at, u.kind, v.canonical, v.noindex, v.cname, l.lastmod, l.changefreq, l.priority as listed_priority
       from urls u left join visits v on v.url_id = u.id and v.attempt = u.attempts
         left join listings l on l.url_id = u.id
       where u.id > ? and u.crawl = ? order by u.id limit ${PIECE}`,
    )
    const crawl = crawlRowId(this.#db, crawlId)
    for (let last = 0; ; ) {
      const rows = select.all(last, crawl)
      for (const row of rows) yield toUrlRow(row)
      const end = rows.at(-1)
      if (end === undefined) return
      last = Number(end['id'])
    }
  }

  async *edges(crawlId: string): AsyncGenerator<Edge> {
    const crawl = crawlRowId(this.#db, crawlId)
    const pages = this.#db.prepare(
      `select l.url_id, l.targets from links l join urls u on u.id = l.url_id
       where l.url_id > ? and u.crawl = ? order by l.url_id limit ${PIECE}`,
    )
    const idOf = this.#db.prepare('select id from urls where crawl = ? and key = ?')
    for (let last = 0; ; ) {
      const rows = pages.all(last, crawl)
      for (const row of rows) {
        const from = Number(row['url_id'])
        for (const key of readKeys(row['targets'])) {
          const to = idOf.get(crawl, key)
          if (to !== undefined) yield { from, to: Number(to['id']) }
        }
      }
      const end = rows.at(-1)
      if (end === undefined) return
      last = Number(end['url_id'])
    }
  }

  async audit(crawlId: string): Promise<Finding[]> {
    return audit(this.#db, crawlRowId(this.#db, crawlId))
  }
}

function toUrlRow(row: Record<string, unknown>): UrlRow {
  return {
    id: Number(row['id']),
    url: String(row['url']),
    state: stateOf(Number(row['state'])),
    reason: row['reason'] as string | null,
    depth: Number(row['depth']),
    priority: 11 - Number(row['rank']),
    httpStatus: row['http_status'] as number | null,
    contentType: row['content_type'] as string | null,
    contentLength: row['content_length'] as number | null,
    contentHash: row['content_hash'] instanceof Uint8Array ? Buffer.from(row['content_hash']).toString('hex') : null,
    title: row['title'] as string | null,
    discoveredFrom: row['parent'] as number | null,
    redirectTo: row['redirect_to'] as string | null,
    attempts: Number(row['attempts']),
    fetchMs: row['fetch_ms'] as number | null,
    ip: row['ip'] as string | null,
    firstSeenAt: Number(row['first_seen_at']),
    visitedAt: row['visited_at'] as number | null,
    kind: URL_KINDS[Number(row['kind'])] ?? 'page',
    canonical: row['canonical'] as string | null,
    noindex: row['noindex'] === 1,
    cname: row['cname'] as string | null,
    listing: toListing(row),
  }
}

function toListing(row: Record<string, unknown>): Listing {
  return {
    lastmod: row['lastmod'] as number | null,
    changefreq: row['changefreq'] as string | null,
    priority: row['listed_priority'] as number | null,
  }
}
