// Changes as readers see them.

import type { ChangeCounts, ChangeQuery, Changes, PublishedChange } from '../../ports/changes.ts'
import { urlHash } from '../encoding/url-hash.ts'
import { type Queryable, toPostgresText } from '../postgres/query.ts'
import { CHANGE_COLUMNS, countSql, SHOWN_PAGE_SQL, toChangeCounts, toPublishedChange } from './change-row.ts'

const TITLE = `(select v.title from pages p
      join visits v on v.crawl = p.crawl and v.host = p.host and v.url_id = p.url_id and v.attempt = p.attempt
    where p.id = ${SHOWN_PAGE_SQL}) as title`
const SELECT = `select ${CHANGE_COLUMNS}, ${TITLE}, u.url, k.uuid from changes c join urls u on u.crawl = c.crawl and u.id = c.url_id and u.host = c.host
    join crawls k on k.id = c.crawl`
const LAST = { name: 'changes_last', text: 'select last from change_cursor' }
const NOISE = {
  name: 'changes_noise',
  text: `select h.noise from change_hosts h join crawls k on k.id = h.crawl join urls u on u.crawl = k.id and u.host = h.host
    where k.uuid = $1 and u.id = $2`,
}

export class PostgresChanges implements Changes {
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
  }

  async list({ crawlId, url, kinds, since, until, minWords, order, after, limit }: ChangeQuery) {
    const conditions = ['c.cursor is not null']
    const values: unknown[] = []
    const given = (value: unknown) => `$${values.push(value)}`
    if (after !== null) conditions.push(`c.cursor ${order === 'newest' ? '<' : '>'} ${given(after)}::bigint`)
    if (crawlId !== null) conditions.push(`c.crawl = (select id from crawls where uuid = ${given(crawlId)})`)
    if (url !== null) {
      conditions.push(`c.url_hash = ${given(String(urlHash(url)))}::bigint`)
      conditions.push(`u.url = ${given(toPostgresText(url))}`)
    }
    if (kinds.length > 0) conditions.push(`c.kind = any(${given(kinds)}::text[])`)
    if (since !== null) conditions.push(`c.at >= ${given(since)}::bigint`)
    if (until !== null) conditions.push(`c.at < ${given(until)}::bigint`)
    if (minWords > 0) conditions.push(`coalesce(c.words_added + c.words_removed >= ${given(minWords)}::int, true)`)
    const direction = order === 'newest' ? 'desc' : 'asc'
    const text = `${SELECT} where ${conditions.join(' and ')} order by c.cursor ${direction} limit ${given(limit)}::int`
    return (await this.#db.query({ text, values })).rows.map(toPublishedChange)
  }

  async find(id: number): Promise<PublishedChange | null> {
    const text = `${SELECT} where c.id = $1 and c.cursor is not null`
    const [row] = (await this.#db.query({ name: 'changes_find', text, values: [id] })).rows
    return row === undefined ? null : toPublishedChange(row)
  }

  async count(crawlId: string | null, since: number | null): Promise<ChangeCounts> {
    const values: unknown[] = []
    const given = (value: unknown) => `$${values.push(value)}`
    const text = countSql({
      crawl: crawlId === null ? null : given(crawlId),
      since: since === null ? null : `${given(since)}::bigint`,
    })
    return toChangeCounts((await this.#db.query({ text, values })).rows)
  }

  async lastCursor(): Promise<number> {
    return Number((await this.#db.query(LAST)).rows[0]?.['last'])
  }

  async noise(crawlId: string, urlId: number): Promise<string | null> {
    const [row] = (await this.#db.query({ ...NOISE, values: [crawlId, urlId] })).rows
    return (row?.['noise'] ?? null) as string | null
  }
}
