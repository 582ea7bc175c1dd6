// Changes as the follower and readers see them.

import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../lib/clock.ts'
import type {
  ChangeCounts,
  ChangeFeed,
  ChangeQuery,
  Changes,
  ExaminedChange,
  NoiseUpdate,
  PendingChange,
  PublishedChange,
} from '../../ports/changes.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import { urlHash } from '../encoding/url-hash.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import {
  CHANGE_COLUMNS,
  countSql,
  SHOWN_PAGE_SQL,
  toChangeCounts,
  toPendingChange,
  toPublishedChange,
} from './change-row.ts'

const TITLE = `(select v.title from pages p join visits v on v.url_id = p.url_id and v.attempt = p.attempt
    where p.id = ${SHOWN_PAGE_SQL}) as title`
const TABLES = 'from changes c join urls u on u.id = c.url_id join crawls k on k.id = c.crawl'

export class SqliteChanges implements Changes {
  readonly #db: DatabaseSync
  readonly #find
  readonly #last
  readonly #noise

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#find = db.prepare(
      `select ${CHANGE_COLUMNS}, ${TITLE}, u.url, k.uuid ${TABLES} where c.id = ? and c.cursor is not null`,
    )
    this.#last = db.prepare('select last from change_cursor')
    this.#noise = db.prepare(
      `select h.noise from change_hosts h join crawls k on k.id = h.crawl
       where k.uuid = ? and h.host = (select host from urls where id = ?)`,
    )
  }

  async list({ crawlId, url, kinds, since, until, minWords, order, after, limit }: ChangeQuery) {
    const conditions = ['c.cursor is not null']
    const values: (string | number | bigint)[] = []
    const where = (condition: string, value: string | number | bigint) => {
      conditions.push(condition)
      values.push(value)
    }
    if (after !== null) where(`c.cursor ${order === 'newest' ? '<' : '>'} ?`, after)
    if (crawlId !== null) where('c.crawl = (select id from crawls where uuid = ?)', crawlId)
    if (url !== null) {
      where('c.url_hash = ?', urlHash(url))
      where('u.url = ?', url)
    }
    if (kinds.length > 0) where('c.kind in (select value from json_each(?))', JSON.stringify(kinds))
    if (since !== null) where('c.at >= ?', since)
    if (until !== null) where('c.at < ?', until)
    if (minWords > 0) where('coalesce(c.words_added + c.words_removed >= ?, true)', minWords)
    const text = `select ${CHANGE_COLUMNS}, ${TITLE}, u.url, k.uuid ${TABLES} where ${conditions.join(' and ')}
      order by c.cursor ${order === 'newest' ? 'desc' : 'asc'} limit ?`
    const rows = this.#db.prepare(text).all(...values, limit)
    return rows.map(toPublishedChange)
  }

  async find(id: number): Promise<PublishedChange | null> {
    const row = this.#find.get(id)
    return row === undefined ? null : toPublishedChange(row)
  }

  async count(crawlId: string | null, since: number | null): Promise<ChangeCounts> {
    const text = countSql({ crawl: crawlId === null ? null : ':crawlId', since: since === null ? null : ':since' })
    const values = { ...(crawlId === null ? {} : { crawlId }), ...(since === null ? {} : { since }) }
    return toChangeCounts(this.#db.prepare(text).all(values))
  }

  async lastCursor(): Promise<number> {
    return Number(this.#last.get()?.['last'])
  }

  async noise(crawlId: string, urlId: number): Promise<string | null> {
    return (this.#noise.get(crawlId, urlId)?.['noise'] ?? null) as string | null
  }
}

export interface ChangeFeedDependencies {
  db: DatabaseSync
  transactions: Transactions
  clock: Clock
}

export class SqliteChangeFeed implements ChangeFeed {
  readonly #dependencies: ChangeFeedDependencies
  readonly #due
  readonly #hold
  readonly #publish
  readonly #drop
  readonly #defer
  readonly #nextCursor
  readonly #addNoise
  readonly #saveNoise

  constructor(dependencies: ChangeFeedDependencies) {
    this.#dependencies = dependencies
    const { db } = dependencies
    this.#due = db.prepare(
      `select ${CHANGE_COLUMNS}, u.url, u.host, k.uuid, k.settings, h.noise ${TABLES}
         left join change_hosts h on h.crawl = c.crawl and h.host = u.host
       where c.due_at <= ? and k.closing is not '${REMOVING}' order by c.due_at, c.id limit ?`,
    )
    this.#hold = db.prepare('update changes set due_at = ?, tries = tries + 1 where id = ?')
    this.#publish = db.prepare(
      `update changes set due_at = null, cursor = (select last + 1 from change_cursor), published_at = ?, words_added = ?,
         words_removed = ?, summary = ? where id = ? and due_at is not null`,
    )
    this.#nextCursor = db.prepare('update change_cursor set last = last + 1')
    this.#drop = db.prepare('delete from changes where id = ? and due_at is not null')
    this.#defer = db.prepare('update changes set due_at = ? where id = ? and due_at is not null')
    this.#addNoise = db.prepare(
      `insert into change_hosts (crawl, host, noise) select id, ?, ? from crawls where uuid = ? and closing is not '${REMOVING}'
       on conflict do nothing`,
    )
    this.#saveNoise = db.prepare(
      `update change_hosts set noise = ? where host = ? and noise = ? and crawl = (select id from crawls where uuid = ?)`,
    )
  }

  async claim(limit: number, claimMs: number): Promise<PendingChange[]> {
    const { transactions, clock } = this.#dependencies
    const rows = this.#due.all(clock.now(), limit)
    if (rows.length > 0) {
      transactions.run(() => {
        for (const row of rows) this.#hold.run(clock.now() + claimMs, Number(row['id']))
      })
    }
    return rows.map(toPendingChange)
  }

  async finish(examined: ExaminedChange[], noise: NoiseUpdate[]): Promise<number> {
    const { transactions, clock } = this.#dependencies
    const now = clock.now()
    return transactions.run(() => {
      let published = 0
      for (const change of examined) published += this.#finishOne(change, now)
      for (const { crawlId, hostId, before, after } of noise) {
        if (before === null) this.#addNoise.run(hostId, after, crawlId)
        else this.#saveNoise.run(after, hostId, before, crawlId)
      }
      return published
    })
  }

  /** Returns 1 if it was published. */
  #finishOne(change: ExaminedChange, now: number): number {
    switch (change.outcome) {
      case 'dropped':
        this.#drop.run(change.id)
        return 0
      case 'deferred':
        this.#defer.run(now + change.untilMs, change.id)
        return 0
      case 'published': {
        const { wordsAdded, wordsRemoved, summary, id } = change
        const { changes } = this.#publish.run(now, wordsAdded, wordsRemoved, summary, id)
        if (changes === 1) this.#nextCursor.run()
        return Number(changes)
      }
    }
  }
}
