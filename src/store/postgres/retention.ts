// Versions that go, and what they leave behind: payloads that nobody has, segments that hold less and less. Any number
// of processes may be at it, each for the segments in its own folder.

import type { LiveRecord, Move, Retention, WornSegment } from '../../ports/retention.ts'
import type { Database } from './database.ts'
import { dropExpired, dropUnused } from './drop-pages.ts'
import { liveRecords, moveRecords } from './move-records.ts'
import { isAlone } from './presence.ts'
import type { Queryable } from './query.ts'
import { findSegments, lockSegment, Segments } from './segments.ts'
import type { Time } from './time.ts'

const NOTHING_LIVE = `not exists (select 1 from pages p where p.segment = s.id)
  and not exists (select 1 from contents c where c.segment = s.id)`

const WORN = {
  name: 'retention_worn',
  text: `select s.name, s.dead_bytes, (${NOTHING_LIVE}) as is_empty from segments s
    where s.name = any($1::text[]) and not s.is_forgotten and (s.dead_bytes > 0 or (${NOTHING_LIVE})) order by s.id`,
}
/** Steps come by the second; the day is all that matters. */
const RUN_NOTE_MS = 3_600_000
const LAST_RUN = { name: 'retention_last_run', text: 'select max(at) as at from last_expiry' }
const CLEAR_RUN = { name: 'retention_clear_run', text: 'delete from last_expiry' }
const NOTE_RUN = { name: 'retention_note_run', text: 'insert into last_expiry (at) values ($1)' }
/** Whatever the server is told: what is forgotten must be on its disk before the file goes. */
const DURABLE = {
  text: `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`,
}
const FORGET = {
  name: 'retention_forget',
  text: `update segments s set is_forgotten = true where s.id = $1 and not s.is_forgotten and ${NOTHING_LIVE}`,
}
const FORGOTTEN = {
  name: 'retention_forgotten',
  text: 'select name from segments where name = any($1::text[]) and is_forgotten order by id',
}
const LET_GO = { name: 'retention_let_go', text: 'delete from segments where name = $1 and is_forgotten' }

export class PostgresRetention implements Retention {
  readonly #db: Database
  readonly #time: Time
  readonly #process: number

  /** `process` is the number of this one. */
  constructor({ db, time, process }: { db: Database; time: Time; process: number }) {
    this.#db = db
    this.#time = time
    this.#process = process
  }

  async isAlone(): Promise<boolean> {
    return this.#db.persist(() => isAlone(this.#db.pool, this.#process, this.#time.given))
  }

  noteRun(now: number, maxGapMs: number | null): Promise<boolean> {
    return this.#inOne(async (tx) => {
      const at = await this.#toStore(tx, now)
      const last = (await tx.query(LAST_RUN)).rows[0]?.['at'] ?? null
      const sinceMs = last === null ? null : at - Number(last)
      if (maxGapMs !== null && sinceMs !== null && sinceMs > maxGapMs) return false
      if (sinceMs !== null && Math.abs(sinceMs) < RUN_NOTE_MS) return true
      // Of two processes at the same moment both may note it: the later one counts.
      await tx.query(CLEAR_RUN)
      await tx.query({ ...NOTE_RUN, values: [at] })
      return true
    })
  }

  async expire(now: number, limit: number): Promise<number> {
    return this.#inOne(async (tx) => dropExpired(tx, await this.#toStore(tx, now), limit))
  }

  async sweep(unusedSince: number, limit: number): Promise<number> {
    return this.#inOne(async (tx) => dropUnused(tx, await this.#toStore(tx, unusedSince), limit))
  }

  async worn(among: string[]): Promise<WornSegment[]> {
    const { rows } = await this.#db.persist(() => this.#db.pool.query({ ...WORN, values: [among] }))
    return rows.map((row) => ({
      segment: String(row['name']),
      deadBytes: Number(row['dead_bytes']),
      isEmpty: row['is_empty'] === true,
    }))
  }

  liveRecords(segment: string, limit: number): Promise<LiveRecord[]> {
    return this.#db.persist(() => liveRecords(this.#db.pool, segment, limit))
  }

  async expect(segment: string): Promise<void> {
    await this.#inOne((tx) => new Segments().idsOf(tx, [segment]))
  }

  move(moves: Move[]): Promise<number> {
    return this.#inOne((tx) => moveRecords(tx, moves))
  }

  forget(segment: string): Promise<boolean> {
    return this.#inOne(async (tx) => {
      const id = (await findSegments(tx, [segment])).get(segment)
      if (id === undefined) return false
      await tx.query(DURABLE)
      // Commits that point at it hold it too: what they bring is seen below.
      await lockSegment(tx, id)
      return (await tx.query({ ...FORGET, values: [id] })).rowCount === 1
    })
  }

  async forgotten(among: string[]): Promise<string[]> {
    const { rows } = await this.#db.persist(() => this.#db.pool.query({ ...FORGOTTEN, values: [among] }))
    return rows.map((row) => String(row['name']))
  }

  async letGo(segment: string): Promise<void> {
    await this.#db.persist(() => this.#db.pool.query({ ...LET_GO, values: [segment] }))
  }

  #inOne<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#db.persist(() => this.#db.transaction(work))
  }

  /** A process whose clock is ahead must not drop what the others keep. */
  async #toStore(tx: Queryable, at: number): Promise<number> {
    return Math.round(at + (await this.#time.now(tx)) - this.#time.worker())
  }
}
