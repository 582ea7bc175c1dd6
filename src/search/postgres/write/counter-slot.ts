// Index counters are split into slots, one per concurrent writing transaction.

import { ADVISORY_LOCKS } from '../../../store/postgres/advisory-locks.ts'
import type { Queryable } from '../../../store/postgres/query.ts'

const SLOTS = 8

const FREE = {
  name: 'index_slot_free',
  text: `select s as slot from generate_series(0, ${SLOTS - 1}) as s
    where pg_try_advisory_xact_lock(${ADVISORY_LOCKS.indexSlots}, s) limit 1`,
}
const WAIT = { name: 'index_slot_wait', text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.indexSlots}, $1::int)` }

/** Held until the end of the transaction. Acquired before all other locks, so that a waiting process holds nothing. */
export async function acquireCounterSlot(tx: Queryable): Promise<number> {
  const [free] = (await tx.query(FREE)).rows
  if (free !== undefined) return Number(free['slot'])
  const slot = Math.floor(Math.random() * SLOTS)
  await tx.query({ ...WAIT, values: [slot] })
  return slot
}

const LOCK_END = {
  name: 'index_lock_end',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.indexSlots}, ${SLOTS})`,
}

/** Serialises the ends of batches, so that each sees the result of the previous one. Acquired after all other locks. */
export async function lockBatchEnd(tx: Queryable): Promise<void> {
  await tx.query(LOCK_END)
}

/** Serialises writers of the same URL, so that each sees the result of the previous one. */
const LOCK_URLS = {
  name: 'index_lock_urls',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.indexedUrls}, h)
    from (select distinct ('x' || left(unnest($1::text[]), 8))::bit(32)::int as h order by h) as hashes`,
}

export async function lockUrls(tx: Queryable, urlKeys: string[]): Promise<void> {
  await tx.query({ ...LOCK_URLS, values: [urlKeys] })
}
