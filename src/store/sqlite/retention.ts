// Versions that go, and what they leave behind: payloads that nobody has, segments that hold less and less.

import type { DatabaseSync } from 'node:sqlite'
import type { LiveRecord, Move, Retention, WornSegment } from '../../ports/retention.ts'
import { DropPages } from './drop-pages.ts'
import type { Likeness } from './likeness.ts'
import { MoveRecords } from './move-records.ts'
import type { SegmentIds } from './segments.ts'
import type { Transactions } from './transaction.ts'

const NOTHING_LIVE = `not exists (select 1 from pages p where p.segment = s.id)
  and not exists (select 1 from contents c where c.segment = s.id and c.is_alone = 1)`

/** Steps come by the second; the day is all that matters. */
const RUN_NOTE_MS = 3_600_000

export interface RetentionStoreParts {
  db: DatabaseSync
  transactions: Transactions
  segments: SegmentIds
  likeness: Likeness
}

export class SqliteRetention implements Retention {
  readonly #parts: RetentionStoreParts
  readonly #drop: DropPages
  readonly #moves: MoveRecords
  readonly #worn
  readonly #forget
  readonly #forgotten
  readonly #lastRun
  readonly #clearRun
  readonly #noteRun

  constructor(parts: RetentionStoreParts) {
    this.#parts = parts
    const { db, segments, likeness } = parts
    this.#drop = new DropPages(db, likeness)
    this.#moves = new MoveRecords(db, segments)
    this.#worn = db.prepare(
      `select s.name, s.dead_bytes, ${NOTHING_LIVE} as is_empty from segments s
       where s.name in (select value from json_each(?)) and s.is_forgotten = 0 and (s.dead_bytes > 0 or ${NOTHING_LIVE})
       order by s.id`,
    )
    this.#lastRun = db.prepare('select max(at) as at from last_expiry')
    this.#clearRun = db.prepare('delete from last_expiry')
    this.#noteRun = db.prepare('insert into last_expiry (at) values (?)')
    this.#forget = db.prepare(`update segments as s set is_forgotten = 1 where s.name = ? and ${NOTHING_LIVE}`)
    this.#forgotten = db.prepare(
      'select name from segments where name in (select value from json_each(?)) and is_forgotten = 1 order by id',
    )
  }

  async isAlone(): Promise<boolean> {
    return true
  }

  async noteRun(now: number, maxGapMs: number | null): Promise<boolean> {
    const last = this.#lastRun.get()?.['at']
    const sinceMs = typeof last === 'number' ? now - last : null
    if (maxGapMs !== null && sinceMs !== null && sinceMs > maxGapMs) return false
    if (sinceMs !== null && Math.abs(sinceMs) < RUN_NOTE_MS) return true
    this.#parts.transactions.run(() => {
      this.#clearRun.run()
      this.#noteRun.run(now)
    })
    return true
  }

  async expire(now: number, limit: number): Promise<number> {
    return this.#parts.transactions.run(() => this.#drop.expired(now, limit))
  }

  async sweep(unusedSince: number, limit: number): Promise<number> {
    return this.#parts.transactions.run(() => this.#drop.unused(unusedSince, limit))
  }

  async worn(among: string[]): Promise<WornSegment[]> {
    return this.#worn.all(JSON.stringify(among)).map((row) => ({
      segment: String(row['name']),
      deadBytes: Number(row['dead_bytes']),
      isEmpty: row['is_empty'] === 1,
    }))
  }

  async liveRecords(segment: string, limit: number): Promise<LiveRecord[]> {
    return this.#moves.live(segment, limit)
  }

  async move(moves: Move[]): Promise<number> {
    return this.#parts.transactions.run(() => this.#moves.apply(moves))
  }

  async expect(segment: string): Promise<void> {
    this.#parts.transactions.run(() => this.#parts.segments.idOf(segment))
  }

  async forget(segment: string): Promise<boolean> {
    const { db, transactions, segments } = this.#parts
    // A commit waits for the disk only here, and brings all those before it along: a file that is deleted afterwards
    // is not missed, whichever commit a power cut goes back to.
    db.exec('pragma synchronous = full')
    try {
      return transactions.run(() => {
        segments.clear()
        return this.#forget.run(segment).changes === 1
      })
    } finally {
      db.exec('pragma synchronous = normal')
    }
  }

  async forgotten(among: string[]): Promise<string[]> {
    return this.#forgotten.all(JSON.stringify(among)).map((row) => String(row['name']))
  }

  async letGo(segment: string): Promise<void> {
    this.#parts.transactions.run(() => this.#parts.segments.delete(segment))
  }
}
