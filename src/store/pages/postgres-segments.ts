// Archive segments: their ids by name, locks on them, and their dead bytes.

import { AppError } from '../../lib/errors.ts'
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts'
import type { Queryable } from '../postgres/query.ts'

const FIND = { name: 'segments_find', text: 'select id, name from segments where name = any($1::text[])' }
const ADD = {
  name: 'segments_add',
  text: 'insert into segments (name) select unnest($1::text[]) on conflict (name) do nothing returning id, name',
}

const HOLD = {
  name: 'segments_lock_shared',
  text: `select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.segments}, id) from unnest($1::int[]) as id`,
}
const LOCK = { name: 'segments_lock', text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.segments}, $1::int)` }

const ADD_DEAD = {
  name: 'segments_add_dead',
  text: `with s as materialized (select id from segments where id = any($1::int[]) order by id for update)
    update segments t set dead_bytes = t.dead_bytes + d.bytes
    from s join unnest($1::int[], $2::bigint[]) as d (id, bytes) on d.id = s.id where t.id = s.id`,
}

/** A process writes few segments, one after the other. */
const MAX_REMEMBERED = 100

export class SegmentIds {
  /** Only segments that existed before this transaction: a new one may be rolled back with it. */
  readonly #known = new Map<string, number>()

  /** Adds new ones. */
  async findOrAdd(db: Queryable, names: string[]): Promise<(name: string) => number> {
    const wanted = [...new Set(names)].filter((name) => !this.#known.has(name)).sort()
    const added = new Map<string, number>()
    if (wanted.length > 0) {
      if (this.#known.size > MAX_REMEMBERED) this.#known.clear()
      await this.#read(db, wanted)
      const missing = wanted.filter((name) => !this.#known.has(name))
      if (missing.length > 0) {
        const { rows } = await db.query({ ...ADD, values: [missing] })
        for (const row of rows) added.set(String(row['name']), Number(row['id']))
        // Another process was quicker.
        await this.#read(
          db,
          missing.filter((name) => !added.has(name)),
        )
      }
    }
    return (name) => {
      const id = this.#known.get(name) ?? added.get(name)
      if (id === undefined) throw new AppError('INTERNAL', `The segment ${name} has no id.`)
      return id
    }
  }

  async #read(db: Queryable, names: string[]): Promise<void> {
    if (names.length === 0) return
    for (const row of (await db.query({ ...FIND, values: [names] })).rows) {
      this.#known.set(String(row['name']), Number(row['id']))
    }
  }
}

export async function findSegments(db: Queryable, names: string[]): Promise<Map<string, number>> {
  const { rows } = await db.query({ ...FIND, values: [[...new Set(names)]] })
  return new Map(rows.map((row) => [String(row['name']), Number(row['id'])]))
}

/**
 * Prevents the segments from being retired until the end of the transaction. The caller checks whether one was
 * retired before.
 */
export async function lockSegmentsShared(tx: Queryable, ids: number[]): Promise<void> {
  await tx.query({ ...HOLD, values: [[...new Set(ids)]] })
}

/** Waits for all transactions that share the lock. */
export async function lockSegment(tx: Queryable, id: number): Promise<void> {
  await tx.query({ ...LOCK, values: [id] })
}

/** Bytes by segment. */
export class DeadBytes {
  readonly bySegment = new Map<number, number>()

  /** Ignored if there is no segment. */
  add(segment: unknown, bytes: unknown): void {
    if (typeof segment !== 'number') return
    this.bySegment.set(segment, (this.bySegment.get(segment) ?? 0) + Number(bytes))
  }
}

export async function addDeadBytes(tx: Queryable, { bySegment }: DeadBytes): Promise<void> {
  if (bySegment.size === 0) return
  await tx.query({ ...ADD_DEAD, values: [[...bySegment.keys()], [...bySegment.values()]] })
}
