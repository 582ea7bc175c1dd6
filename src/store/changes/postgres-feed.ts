// Changes as the follower sees them, in any number of processes. The clock of the database decides when a change is due.

import type { ChangeFeed, ExaminedChange, NoiseUpdate, PendingChange } from '../../ports/changes.ts'
import { REMOVING } from '../encoding/state-codes.ts'
import type { Database } from '../postgres/database.ts'
import { type Queryable, toPostgresText } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { CHANGE_COLUMNS, toPendingChange } from './change-row.ts'

/** The rows are as they were before the claim. */
const CLAIM = {
  name: 'changes_claim',
  text: `with due as materialized (
      select id from changes where due_at <= now_ms($1) order by due_at, id limit $2 for update skip locked
    ), held as (
      update changes c set due_at = now_ms($1) + $3::bigint, tries = c.tries + 1 from due where c.id = due.id returning c.id
    )
    select ${CHANGE_COLUMNS}, c.host, u.url, k.uuid, k.settings, h.noise from held d join changes c on c.id = d.id
      join urls u on u.crawl = c.crawl and u.id = c.url_id and u.host = c.host
      join crawls k on k.id = c.crawl and k.closing is distinct from '${REMOVING}'
      left join change_hosts h on h.crawl = c.crawl and h.host = c.host
    order by c.id`,
}
/** Locked until the commit, so that the places of a process that commits later are higher. */
const LOCK_CURSOR = { name: 'changes_lock_cursor', text: 'select last from change_cursor for update' }
const SAVE_CURSOR = { name: 'changes_save_cursor', text: 'update change_cursor set last = $1' }
const PUBLISH = {
  name: 'changes_publish',
  text: `with found as materialized (
      select e.*, row_number() over (order by e.place) as n
      from unnest($1::bigint[], $2::int[], $3::int[], $4::text[]) with ordinality as e (id, words_added, words_removed, summary, place)
        join changes c on c.id = e.id and c.due_at is not null
    )
    update changes c set due_at = null, cursor = $5::bigint + f.n, published_at = now_ms($6), words_added = f.words_added,
      words_removed = f.words_removed, summary = f.summary
    from found f where c.id = f.id`,
}
const DROP = { name: 'changes_drop', text: 'delete from changes where id = any($1::bigint[]) and due_at is not null' }
const DEFER = {
  name: 'changes_defer',
  text: `update changes c set due_at = now_ms($3) + e.until_ms from unnest($1::bigint[], $2::bigint[]) as e (id, until_ms)
    where c.id = e.id and c.due_at is not null`,
}
const ADD_NOISE = {
  name: 'changes_add_noise',
  text: `insert into change_hosts (crawl, host, noise)
    select id, $2, $3 from crawls where uuid = $1 and closing is distinct from '${REMOVING}' on conflict do nothing`,
}
const SAVE_NOISE = {
  name: 'changes_save_noise',
  text: `update change_hosts set noise = $3 where crawl = (select id from crawls where uuid = $1) and host = $2 and noise = $4`,
}

export class PostgresChangeFeed implements ChangeFeed {
  readonly #db: Database
  readonly #time: StoreClock

  constructor({ db, time }: { db: Database; time: StoreClock }) {
    this.#db = db
    this.#time = time
  }

  async claim(limit: number, claimMs: number): Promise<PendingChange[]> {
    const values = [this.#time.virtualNow, limit, claimMs]
    return (await this.#db.withRetries(() => this.#db.pool.query({ ...CLAIM, values }))).rows.map(toPendingChange)
  }

  async finish(examined: ExaminedChange[], noise: NoiseUpdate[]): Promise<number> {
    return this.#db.withRetries(() => this.#db.transaction((tx) => this.#finish(tx, examined, noise)))
  }

  async #finish(tx: Queryable, examined: ExaminedChange[], noise: NoiseUpdate[]): Promise<number> {
    const dropped = examined.flatMap((change) => (change.outcome === 'dropped' ? [change.id] : []))
    if (dropped.length > 0) await tx.query({ ...DROP, values: [dropped] })
    const deferred = examined.flatMap((change) => (change.outcome === 'deferred' ? [change] : []))
    if (deferred.length > 0) {
      const values = [deferred.map(({ id }) => id), deferred.map(({ untilMs }) => untilMs), this.#time.virtualNow]
      await tx.query({ ...DEFER, values })
    }
    for (const { crawlId, hostId, before, after } of noise) {
      const values = [crawlId, hostId, toPostgresText(after)]
      await tx.query(before === null ? { ...ADD_NOISE, values } : { ...SAVE_NOISE, values: [...values, before] })
    }
    return this.#publish(tx, examined)
  }

  async #publish(tx: Queryable, examined: ExaminedChange[]): Promise<number> {
    const published = examined.flatMap((change) => (change.outcome === 'published' ? [change] : []))
    if (published.length === 0) return 0
    const last = Number((await tx.query(LOCK_CURSOR)).rows[0]?.['last'])
    const values = [
      published.map(({ id }) => id),
      published.map(({ wordsAdded }) => wordsAdded),
      published.map(({ wordsRemoved }) => wordsRemoved),
      published.map(({ summary }) => toPostgresText(summary)),
      last,
      this.#time.virtualNow,
    ]
    const { rowCount } = await tx.query({ ...PUBLISH, values })
    await tx.query({ ...SAVE_CURSOR, values: [last + (rowCount ?? 0)] })
    return rowCount ?? 0
  }
}
