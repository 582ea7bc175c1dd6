// Deletes expired versions and what they leave behind: unused payloads, and segments with fewer and fewer live records.

import type { DatabaseSync } from 'node:sqlite'
import type { CompactableSegment, LiveRecord, RecordMove, Retention } from '../../ports/retention.ts'
import { IS_ANNOUNCED_SQL } from '../changes/change-row.ts'
import type { NearDuplicates } from '../pages/sqlite-near-duplicates.ts'
import type { SegmentIds } from '../pages/sqlite-segments.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { PageRemover } from './sqlite-drop-pages.ts'
import { RecordMover } from './sqlite-move-records.ts'

/** Limits per call, besides versions. */
const EXPIRED_CHANGES = 10_000

const HAS_NO_LIVE_RECORDS = `not exists (select 1 from pages p where p.segment = s.id)
  and not exists (select 1 from contents c where c.segment = s.id and c.is_alone = 1)`

/** A run consists of many steps, each of which calls `recordRun`. It is recorded once an hour. */
const RUN_RECORD_MS = 3_600_000

export interface RetentionDependencies {
  db: DatabaseSync
  transactions: Transactions
  segments: SegmentIds
  nearDuplicates: NearDuplicates
}

export class SqliteRetention implements Retention {
  readonly #dependencies: RetentionDependencies
  readonly #pageRemover: PageRemover
  readonly #moves: RecordMover
  readonly #listCompactable
  readonly #retire
  readonly #listRetired
  readonly #lastRun
  readonly #clearRun
  readonly #noteRun
  readonly #expireChanges

  constructor(dependencies: RetentionDependencies) {
    this.#dependencies = dependencies
    const { db, segments, nearDuplicates } = dependencies
    this.#pageRemover = new PageRemover(db, nearDuplicates)
    this.#moves = new RecordMover(db, segments)
    this.#listCompactable = db.prepare(
      `select s.name, s.dead_bytes, ${HAS_NO_LIVE_RECORDS} as is_empty from segments s
       where s.name in (select value from json_each(?)) and s.is_forgotten = 0 and (s.dead_bytes > 0 or ${HAS_NO_LIVE_RECORDS})
       order by s.id`,
    )
    this.#lastRun = db.prepare('select max(at) as at from last_expiry')
    this.#clearRun = db.prepare('delete from last_expiry')
    this.#noteRun = db.prepare('insert into last_expiry (at) values (?)')
    this.#expireChanges = db.prepare(
      `delete from changes where id in
         (select c.id from changes c where c.expires_at <= ? and ${IS_ANNOUNCED_SQL} limit ${EXPIRED_CHANGES})`,
    )
    this.#retire = db.prepare(`update segments as s set is_forgotten = 1 where s.name = ? and ${HAS_NO_LIVE_RECORDS}`)
    this.#listRetired = db.prepare(
      'select name from segments where name in (select value from json_each(?)) and is_forgotten = 1 order by id',
    )
  }

  async isOnlyProcess(): Promise<boolean> {
    return true
  }

  async recordRun(now: number, maxGapMs: number | null): Promise<boolean> {
    const last = this.#lastRun.get()?.['at']
    const sinceMs = typeof last === 'number' ? now - last : null
    if (maxGapMs !== null && sinceMs !== null && sinceMs > maxGapMs) return false
    if (sinceMs !== null && Math.abs(sinceMs) < RUN_RECORD_MS) return true
    this.#dependencies.transactions.run(() => {
      this.#clearRun.run()
      this.#noteRun.run(now)
    })
    return true
  }

  async expire(now: number, limit: number): Promise<number> {
    return this.#dependencies.transactions.run(() => {
      this.#expireChanges.run(now)
      return this.#pageRemover.dropExpired(now, limit)
    })
  }

  async sweep(unusedSince: number, limit: number): Promise<number> {
    return this.#dependencies.transactions.run(() => this.#pageRemover.dropUnused(unusedSince, limit))
  }

  async listCompactable(among: string[]): Promise<CompactableSegment[]> {
    return this.#listCompactable.all(JSON.stringify(among)).map((row) => ({
      segment: String(row['name']),
      deadBytes: Number(row['dead_bytes']),
      isEmpty: row['is_empty'] === 1,
    }))
  }

  async liveRecords(segment: string, limit: number): Promise<LiveRecord[]> {
    return this.#moves.listLive(segment, limit)
  }

  async moveRecords(moves: RecordMove[]): Promise<number> {
    return this.#dependencies.transactions.run(() => this.#moves.moveAll(moves))
  }

  async registerSegment(segment: string): Promise<void> {
    this.#dependencies.transactions.run(() => this.#dependencies.segments.findOrAdd(segment))
  }

  async retireSegment(segment: string): Promise<boolean> {
    const { db, transactions, segments } = this.#dependencies
    // This is the only commit that waits for the disk, and it makes all earlier ones durable too: a file deleted
    // afterwards is not missed, no matter which commit a power failure goes back to.
    db.exec('pragma synchronous = full')
    try {
      return transactions.run(() => {
        segments.clearCache()
        return this.#retire.run(segment).changes === 1
      })
    } finally {
      db.exec('pragma synchronous = normal')
    }
  }

  async listRetired(among: string[]): Promise<string[]> {
    return this.#listRetired.all(JSON.stringify(among)).map((row) => String(row['name']))
  }

  async deleteRetired(segment: string): Promise<void> {
    this.#dependencies.transactions.run(() => this.#dependencies.segments.delete(segment))
  }
}
