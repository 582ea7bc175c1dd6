// A lock on the settings and blocked hosts of a crawl, for transactions that need their current values. A change takes
// it exclusively, so a transaction that shares the lock either sees the change or ends before it starts.

import { ADVISORY_LOCKS } from '../../../postgres/advisory-locks.ts'
import { runPipelined } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { type CachedCrawl, readCrawl } from './crawl-cache.ts'

const LOCK = { name: 'settings_lock', text: `select pg_advisory_xact_lock(${ADVISORY_LOCKS.settings}, $1)` }
const SHARE = { name: 'settings_share', text: `select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.settings}, $1)` }
const TRY_SHARE = {
  name: 'settings_try_share',
  text: `select pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.settings}, $1) as is_mine`,
}

/** Takes the exclusive lock until the transaction ends. Waits for transactions that share it. */
export async function lockSettings(tx: Queryable, crawl: number): Promise<void> {
  await tx.query({ ...LOCK, values: [crawl] })
}

/** The settings cannot change until the transaction ends. */
export async function readLockedCrawl(tx: Queryable, crawl: CachedCrawl): Promise<CachedCrawl> {
  const [, current] = await runPipelined(tx.query({ ...SHARE, values: [crawl.id] }), readCrawl(tx, crawl))
  return current
}

/** Like `readLockedCrawl`, but does not wait: null while the settings are being changed. */
export async function tryReadLockedCrawl(tx: Queryable, crawl: CachedCrawl): Promise<CachedCrawl | null> {
  const [{ rows }, current] = await runPipelined(tx.query({ ...TRY_SHARE, values: [crawl.id] }), readCrawl(tx, crawl))
  return rows[0]?.['is_mine'] === true ? current : null
}
