// Rows for exports, read in batches by id, so that neither memory nor a read transaction grows with the crawl.

import type { Edge, FailedCheck, UrlRow, Urls } from '../../ports/urls.ts'
import { crawlRowId } from '../crawls/postgres-crawl-reader.ts'
import { decodeLinkKeys } from '../encoding/link-keys.ts'
import type { Connections, Row } from '../postgres/query.ts'
import { verifyCrawl } from './postgres-verify.ts'
import { toUrlRow } from './url-row.ts'

const BATCH_ROWS = 2000
/** Pages per batch of the link graph. Each may have hundreds of links. */
const BATCH_PAGES = 200

/** The worker's own name, without the number of its process. */
export const LEASED_BY = `(select substr(e.worker, strpos(e.worker, '/') + 1) from leases e where e.token = u.lease)`

/** Selects the rows of a batch first, so that no plan joins all remaining rows. */
const ROWS = `select u.id, u.url, u.state, u.reason, u.depth, u.rank, u.attempts, u.parent, u.first_seen_at,
    v.http_status, v.content_type, v.content_length, v.content_hash, v.title, v.redirect_to, v.fetch_ms, v.ip,
    v.visited_at, ${LEASED_BY} as leased_by, u.kind, v.canonical, v.noindex, v.cname, v.proxy, v.thread, v.processing_ms, l.lastmod, l.changefreq,
    l.priority as listed_priority, s.url_id is not null as is_from_script
  from (select * from urls where crawl = $1 and id > $2 order by id limit ${BATCH_ROWS}) u
    left join visits v on v.crawl = u.crawl and v.host = u.host and v.url_id = u.id and v.attempt = u.attempts
    left join listings l on l.crawl = u.crawl and l.host = u.host and l.url_id = u.id
    left join script_urls s on s.crawl = u.crawl and s.host = u.host and s.url_id = u.id
  order by u.id`

const LINKS = `select u.id, l.targets
  from (select id, host from urls where crawl = $1 and id > $2 order by id limit ${BATCH_PAGES}) u
    left join links l on l.crawl = $1 and l.host = u.host and l.url_id = u.id
  order by u.id`

const BY_KEY = 'select key::text as key, id from urls where crawl = $1 and key = any($2::bigint[])'

const BY_ID = 'select id, url from urls where crawl = $1 and id = any($2::bigint[])'

export class PostgresUrls implements Urls {
  readonly #db: Connections

  constructor(db: Connections) {
    this.#db = db
  }

  async *rows(crawlId: string, after = 0): AsyncGenerator<UrlRow> {
    for await (const piece of this.#batches(crawlId, { name: 'url_rows', text: ROWS }, after)) {
      yield* piece.rows.map(toUrlRow)
    }
  }

  async *edges(crawlId: string): AsyncGenerator<Edge> {
    for await (const { crawl, rows } of this.#batches(crawlId, { name: 'url_links', text: LINKS })) {
      const ids = await this.#idsOf(crawl, rows)
      for (const row of rows) {
        const from = Number(row['id'])
        for (const key of decodeLinkKeys(row['targets'])) {
          const to = ids.get(key)
          if (to !== undefined) yield { from, to }
        }
      }
    }
  }

  async urlsOf(crawlId: string, ids: readonly number[]): Promise<Map<number, string>> {
    const values = [await crawlRowId(this.#db, crawlId), ids]
    const { rows } = await this.#db.query({ name: 'urls_by_id', text: BY_ID, values })
    return new Map(rows.map((row) => [Number(row['id']), String(row['url'])]))
  }

  async verify(crawlId: string): Promise<FailedCheck[]> {
    return verifyCrawl(this.#db, await crawlRowId(this.#db, crawlId))
  }

  /** Repeats a statement, each time after the last id it returned. */
  async *#batches(
    crawlId: string,
    { name, text }: { name: string; text: string },
    after = 0,
  ): AsyncGenerator<{ crawl: number; rows: Row[] }> {
    const crawl = await crawlRowId(this.#db, crawlId)
    for (let last = after; ; ) {
      const { rows } = await this.#db.query({ name, text, values: [crawl, last] })
      const end = rows.at(-1)
      if (end === undefined) return
      yield { crawl, rows }
      last = Number(end['id'])
    }
  }

  async #idsOf(crawl: number, pages: Row[]): Promise<Map<bigint, number>> {
    const keys = new Set<bigint>()
    for (const page of pages) for (const key of decodeLinkKeys(page['targets'])) keys.add(key)
    if (keys.size === 0) return new Map()
    const values = [crawl, [...keys].map(String)]
    const { rows } = await this.#db.query({ name: 'urls_by_key', text: BY_KEY, values })
    return new Map(rows.map((row) => [BigInt(String(row['key'])), Number(row['id'])]))
  }
}
