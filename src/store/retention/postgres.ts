// Deletes expired versions and what they leave behind: unused payloads, and segments with fewer and fewer live records.
// Any number of processes may do this, each for the segments of its own folder.

import type { CompactableSegment, LiveRecord, RecordMove, Retention } from '../../ports/retention.ts'
import { IS_ANNOUNCED_SQL } from '../changes/change-row.ts'
import { findSegments, lockSegment, SegmentIds } from '../pages/postgres-segments.ts'
import type { Database } from '../postgres/database.ts'
import { isOnlyProcess } from '../postgres/presence.ts'
import type { Queryable } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { dropExpired, dropUnused } from './postgres-drop-pages.ts'
import { liveRecords, moveRecords } from './postgres-move-records.ts'

const HAS_NO_LIVE_RECORDS = `not exists (select 1 from pages p where p.segment = s.id)
  and not exists (select 1 from contents c where c.segment = s.id)`

/** Limits per call, besides versions. */
const EXPIRE_CHANGES = {
  name: 'retention_expire_changes',
  text: `delete from changes where id in
    (select c.id from changes c where c.expires_at <= $1 and ${IS_ANNOUNCED_SQL} limit 10000 for update of c skip locked)`,
}
const COMPACTABLE = {
  name: 'retention_compactable',
  text: `select s.name, s.dead_bytes, (${HAS_NO_LIVE_RECORDS}) as is_empty from segments s
    where s.name = any($1::text[]) and not s.is_forgotten and (s.dead_bytes > 0 or (${HAS_NO_LIVE_RECORDS})) order by s.id`,
}
/** A run consists of many steps, each of which calls `recordRun`. It is recorded once an hour. */
const RUN_RECORD_MS = 3_600_000
const LAST_RUN = { name: 'retention_last_run', text: 'select max(at) as at from last_expiry' }
const CLEAR_RUN = { name: 'retention_clear_run', text: 'delete from last_expiry' }
const NOTE_RUN = { name: 'retention_note_run', text: 'insert into last_expiry (at) values ($1)' }
/** Overrides the server settings: a retired segment must be on disk before its file is deleted. */
const DURABLE = {
  text: `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`,
}
const RETIRE = {
  name: 'retention_retire',
  text: `update segments s set is_forgotten = true where s.id = $1 and not s.is_forgotten and ${HAS_NO_LIVE_RECORDS}`,
}
const RETIRED = {
  name: 'retention_retired',
  text: 'select name from segments where name = any($1::text[]) and is_forgotten order by id',
}
const DELETE_RETIRED = { name: 'retention_delete', text: 'delete from segments where name = $1 and is_forgotten' }

export class PostgresRetention implements Retention {
  readonly #db: Database
  readonly #time: StoreClock
  readonly #processNumber: number

  constructor({ db, time, processNumber }: { db: Database; time: StoreClock; processNumber: number }) {
    this.#db = db
    this.#time = time
    this.#processNumber = processNumber
  }

  async isOnlyProcess(): Promise<boolean> {
    return this.#db.withRetries(() => isOnlyProcess(this.#db.pool, this.#processNumber, this.#time.virtualNow))
  }

  recordRun(now: number, maxGapMs: number | null): Promise<boolean> {
    return this.#inTransaction(async (tx) => {
      const at = await this.#toStoreTime(tx, now)
      const last = (await tx.query(LAST_RUN)).rows[0]?.['at'] ?? null
      const sinceMs = last === null ? null : at - Number(last)
      if (maxGapMs !== null && sinceMs !== null && sinceMs > maxGapMs) return false
      if (sinceMs !== null && Math.abs(sinceMs) < RUN_RECORD_MS) return true
      // Two processes may record a run at the same time; readers take the later one.
      await tx.query(CLEAR_RUN)
      await tx.query({ ...NOTE_RUN, values: [at] })
      return true
    })
  }

  async expire(now: number, limit: number): Promise<number> {
    return this.#inTransaction(async (tx) => {
      const at = await this.#toStoreTime(tx, now)
      await tx.query({ ...EXPIRE_CHANGES, values: [at] })
      return dropExpired(tx, at, limit)
    })
  }

  async sweep(unusedSince: number, limit: number): Promise<number> {
    return this.#inTransaction(async (tx) => dropUnused(tx, await this.#toStoreTime(tx, unusedSince), limit))
  }

  async listCompactable(among: string[]): Promise<CompactableSegment[]> {
    const { rows } = await this.#db.withRetries(() => this.#db.pool.query({ ...COMPACTABLE, values: [among] }))
    return rows.map((row) => ({
      segment: String(row['name']),
      deadBytes: Number(row['dead_bytes']),
      isEmpty: row['is_empty'] === true,
    }))
  }

  liveRecords(segment: string, limit: number): Promise<LiveRecord[]> {
    return this.#db.withRetries(() => liveRecords(this.#db.pool, segment, limit))
  }

  async registerSegment(segment: string): Promise<void> {
    await this.#inTransaction((tx) => new SegmentIds().findOrAdd(tx, [segment]))
  }

  moveRecords(moves: RecordMove[]): Promise<number> {
    return this.#inTransaction((tx) => moveRecords(tx, moves))
  }

  retireSegment(segment: string): Promise<boolean> {
    return this.#inTransaction(async (tx) => {
      const id = (await findSegments(tx, [segment])).get(segment)
      if (id === undefined) return false
      await tx.query(DURABLE)
      // Commits that refer to the segment hold the lock too; their references are seen below.
      await lockSegment(tx, id)
      return (await tx.query({ ...RETIRE, values: [id] })).rowCount === 1
    })
  }

  async listRetired(among: string[]): Promise<string[]> {
    const { rows } = await this.#db.withRetries(() => this.#db.pool.query({ ...RETIRED, values: [among] }))
    return rows.map((row) => String(row['name']))
  }

  async deleteRetired(segment: string): Promise<void> {
    await this.#db.withRetries(() => this.#db.pool.query({ ...DELETE_RETIRED, values: [segment] }))
  }

  #inTransaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#db.withRetries(() => this.#db.transaction(work))
  }

  /** A process whose clock is ahead must not delete what others still keep. */
  async #toStoreTime(tx: Queryable, at: number): Promise<number> {
    return Math.round(at + (await this.#time.now(tx)) - this.#time.workerNow())
  }
}
