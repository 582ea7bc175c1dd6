// Settings and blocked hosts of a crawl, for those who must go by them as they are and not as they were when last seen.
// Whoever changes them has the lock alone, so that who shares it sees a change, or ends before it begins.

import { type CrawlRow, readCrawl } from './crawl-rows.ts'
import { together } from './database.ts'
import { LOCKS } from './locks.ts'
import type { Queryable } from './query.ts'

const LOCK = { name: 'settings_lock', text: `select pg_advisory_xact_lock(${LOCKS.settings}, $1)` }
const SHARE = { name: 'settings_share', text: `select pg_advisory_xact_lock_shared(${LOCKS.settings}, $1)` }
const TRY_SHARE = {
  name: 'settings_try_share',
  text: `select pg_try_advisory_xact_lock_shared(${LOCKS.settings}, $1) as is_mine`,
}

/** Until the transaction ends. Waits for those who share it. */
export async function lockSettings(tx: Queryable, crawl: number): Promise<void> {
  await tx.query({ ...LOCK, values: [crawl] })
}

/** They stay so until the transaction ends. */
export async function settledCrawl(tx: Queryable, crawl: CrawlRow): Promise<CrawlRow> {
  const [, settled] = await together(tx.query({ ...SHARE, values: [crawl.id] }), readCrawl(tx, crawl))
  return settled
}

/** The same for who waits for nobody; null while they are being changed. */
export async function settledCrawlNow(tx: Queryable, crawl: CrawlRow): Promise<CrawlRow | null> {
  const [{ rows }, settled] = await together(tx.query({ ...TRY_SHARE, values: [crawl.id] }), readCrawl(tx, crawl))
  return rows[0]?.['is_mine'] === true ? settled : null
}
