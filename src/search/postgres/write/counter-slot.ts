// What indexers count is kept apart in slots, one for each transaction that writes at a time.

import { ADVISORY_LOCKS } from '../../../store/postgres/advisory-locks.ts'
import type { Queryable } from '../../../store/postgres/query.ts'

const SLOTS = 8

const FREE = {
  name: 'index_slot_free',
  text: `select s as slot from generate_series(0, ${SLOTS - 1}) as s
    where pg_try_advisory_xact_lock(${ADVISORY_LOCKS.indexSlots}, s) limit 1`,
}
const WAIT = { name: 'index_slot_wait', text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.indexSlots}, $1::int)` }

/** Until the end of the transaction. It comes before every other lock: who waits here holds nothing. */
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

/** Ends of batches come one after another, and each sees what the one before left. It comes after every other lock. */
export async function lockBatchEnd(tx: Queryable): Promise<void> {
  await tx.query(LOCK_END)
}

/** Who writes documents of a url does so after one another, and each sees what the one before left. */
const LOCK_URLS = {
  name: 'index_lock_urls',
  text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.indexedUrls}, h)
    from (select distinct ('x' || left(unnest($1::text[]), 8))::bit(32)::int as h order by h) as hashes`,
}

export async function lockUrls(tx: Queryable, urlKeys: string[]): Promise<void> {
  await tx.query({ ...LOCK_URLS, values: [urlKeys] })
}
