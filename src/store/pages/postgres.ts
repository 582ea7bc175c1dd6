// Page versions as readers see them.

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
import { crawlRowId } from '../crawls/postgres-crawl-reader.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { type Queryable, type Row, toPostgresText } from '../postgres/query.ts'
import { toPageData, toPageReferences, toPageVersion } from './page-version.ts'

const BATCH_ROWS = 1000

// The near-duplicate may be gone.
const versionQuery = (
  from: string,
  more = '',
) => `select ${more} p.id, p.version, p.visited_at, p.expires_at, p.first_seen_at, p.changes, p.wire_bytes, p.charset, p.lang,
    p.description, p.keywords, p.words, p.note, p.segment is not null as is_kept, u.url, u.kind, c.uuid, v.http_status, v.content_type, v.content_length,
    v.content_hash, v.title, v.redirect_to, v.canonical, v.noindex, v.fetch_ms, p.fingerprint::text as fingerprint_text,
    s.name as payload_segment, k."offset" as payload_offset, k.length as payload_length,
    r.name as record_segment, p."offset" as record_offset, p.length as record_length,
    k.digest, k.is_damaged, (select q.id from pages q where q.id = p.resembles) as resembles
  from ${from} p join urls u on u.crawl = p.crawl and u.id = p.url_id and u.host = p.host
    join crawls c on c.id = p.crawl
    left join visits v on v.crawl = p.crawl and v.host = p.host and v.url_id = p.url_id and v.attempt = p.attempt
    left join contents k on k.digest = p.content left join segments s on s.id = k.segment
    left join segments r on r.id = p.segment`

const HISTORY = `${versionQuery('pages')} where p.url_hash = $1 and u.url = $2 order by p.version, p.id`
const NEAREST = `${versionQuery('pages')} where p.url_hash = $1 and u.url = $2 and c.uuid = $3 and p.segment is not null
  order by abs(p.visited_at - $4), p.id desc limit 1`
const BY_ID = `${versionQuery('pages')} where p.id = $1`
/** Selects the pages of a batch first, so that no plan joins all remaining pages. */
const PAGES_OF_CRAWL = `${versionQuery(`(select * from pages where id > $1 and crawl = $2 order by id limit ${BATCH_ROWS})`)} order by p.id`

const POSITIONS = `select p.id, k.digest, r.name as record_segment, p."offset" as record_offset, p.length as record_length,
    s.name as payload_segment, k."offset" as payload_offset, k.length as payload_length
  from (select * from pages where id > $1 and segment is not null order by id limit ${BATCH_ROWS}) p left join segments r on r.id = p.segment
    left join contents k on k.digest = p.content left join segments s on s.id = k.segment
  order by p.id`

/** Selects pages with everything else that the index needs. */
const indexQuery = (from: string) =>
  `${versionQuery(
    from,
    `p.url_id, u.depth, (select min(q.visited_at) from pages q
      where q.url_hash = p.url_hash and q.changes = p.changes and q.version <= p.version) as changed_at,`,
  )} order by p.id`

const AFTER = indexQuery('(select * from pages where id > $1 order by id limit $2)')
const PAGES_TO_INDEX = indexQuery(
  '(select g.* from unnest($1::bigint[], $2::int[]) as w (id, host) join pages g on g.id = w.id and g.host = w.host)',
)
const RETENTION = `select p.id, p.expires_at
  from unnest($1::bigint[]) with ordinality as w (id, place) left join pages p on p.id = w.id order by w.place`
const NEWEST = 'select coalesce(max(id), 0) as id from pages'

const DATA = 'select data from pages where id = $1'
const DATA_OF_URLS = `select w.id, p.data from unnest($2::bigint[], $3::bigint[]) as w (id, url_hash)
  cross join lateral (select g.data from pages g where g.url_hash = w.url_hash and g.crawl = $1 and g.url_id = w.id
    order by g.id desc limit 1) p
  where p.data is not null`
const DATA_OF_CRAWL = `select id, data from pages where id > $1 and crawl = $2 and data is not null
  order by id limit ${BATCH_ROWS}`

const GOOD_OFFSETS = `select l.name, greatest(
    (select max(p."offset" + p.length) from pages p where p.segment = s.id and p."offset" + p.length <= l.bytes),
    (select k."offset" + k.length from contents k where k.segment = s.id and k."offset" + k.length <= l.bytes
     order by k."offset" desc limit 1), 0) as good
  from unnest($1::text[], $2::bigint[]) as l (name, bytes) left join segments s on s.name = l.name`

export class PostgresPages implements Pages {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  async history(url: string): Promise<PageVersion[]> {
    const values = [String(urlHash(url)), toPostgresText(url)]
    return (await this.#db.query({ name: 'page_history', text: HISTORY, values })).rows.map(toPageVersion)
  }

  async find(pageId: number): Promise<PageVersion | null> {
    const [row] = (await this.#db.query({ name: 'page_by_id', text: BY_ID, values: [pageId] })).rows
    return row === undefined ? null : toPageVersion(row)
  }

  async findNearest(crawlId: string, url: string, at: number): Promise<PageVersion | null> {
    const values = [String(urlHash(url)), toPostgresText(url), crawlId, at]
    const [row] = (await this.#db.query({ name: 'page_nearest', text: NEAREST, values })).rows
    return row === undefined ? null : toPageVersion(row)
  }

  async *listByCrawl(crawlId: string): AsyncGenerator<PageVersion> {
    const crawl = await crawlRowId(this.#db, crawlId)
    for await (const row of this.#batches('pages_of_crawl', PAGES_OF_CRAWL, [crawl])) yield toPageVersion(row)
  }

  async *references(): AsyncGenerator<PageReference> {
    for await (const row of this.#batches('page_positions', POSITIONS, [])) yield* toPageReferences(row)
  }

  async lastReferencedOffsets(segments: OrphanedSegment[]): Promise<Record<string, number>> {
    const values = [segments.map(({ segment }) => segment), segments.map(({ bytes }) => bytes)]
    const { rows } = await this.#db.query({ text: GOOD_OFFSETS, values })
    return Object.fromEntries(rows.map((row) => [String(row['name']), Number(row['good'])]))
  }

  async listAfter(pageId: number, limit: number): Promise<PageToIndex[]> {
    const { rows } = await this.#db.query({ name: 'pages_after', text: AFTER, values: [pageId, limit] })
    return rows.map(toPageToIndex)
  }

  async retentionOf(pageIds: number[]): Promise<(PageRetention | null)[]> {
    const { rows } = await this.#db.query({ name: 'pages_retention', text: RETENTION, values: [pageIds] })
    return rows.map((row) => (row['id'] === null ? null : { expiresAt: row['expires_at'] as number | null }))
  }

  async newestId(): Promise<number> {
    const [row] = (await this.#db.query({ name: 'pages_newest', text: NEWEST })).rows
    return Number(row?.['id'])
  }

  async dataOf(pageId: number): Promise<PageData | null> {
    return toPageData((await this.#db.query({ name: 'page_data', text: DATA, values: [pageId] })).rows[0])
  }

  async *dataOfCrawl(crawlId: string): AsyncGenerator<PageData> {
    const crawl = await crawlRowId(this.#db, crawlId)
    for await (const row of this.#batches('page_data_of_crawl', DATA_OF_CRAWL, [crawl])) {
      const data = toPageData(row)
      if (data !== null) yield data
    }
  }

  async dataOfUrls(crawlId: string, urls: readonly PageOwner[]): Promise<Map<number, PageData>> {
    const hashes = urls.map(({ url }) => String(urlHash(url)))
    const values = [await crawlRowId(this.#db, crawlId), urls.map(({ id }) => id), hashes]
    const { rows } = await this.#db.query({ name: 'page_data_of_urls', text: DATA_OF_URLS, values })
    return new Map(
      rows.flatMap((row): [number, PageData][] => {
        const data = toPageData(row)
        return data === null ? [] : [[Number(row['id']), data]]
      }),
    )
  }

  /** Repeats a statement, each time after the last id it returned. */
  async *#batches(name: string, text: string, values: unknown[]): AsyncGenerator<Row> {
    for (let last = 0; ; ) {
      const { rows } = await this.#db.query({ name, text, values: [last, ...values] })
      yield* rows
      const end = rows.at(-1)
      if (end === undefined) return
      last = Number(end['id'])
    }
  }
}

/** Pages by id; deleted pages are left out. */
export async function pagesToIndex(db: Queryable, pages: { id: number; host: number }[]): Promise<PageToIndex[]> {
  const values = [pages.map(({ id }) => id), pages.map(({ host }) => host)]
  return (await db.query({ name: 'pages_to_index', text: PAGES_TO_INDEX, values })).rows.map(toPageToIndex)
}

function toPageToIndex(row: Row): PageToIndex {
  return {
    version: toPageVersion(row),
    urlId: Number(row['url_id']),
    depth: Number(row['depth']),
    changedAt: Number(row['changed_at']),
  }
}
