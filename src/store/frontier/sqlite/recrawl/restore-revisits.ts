// Returns URLs that are queued for a revisit to their last outcome: when --recrawl is turned off, or the crawl is closed.

import type { DatabaseSync } from 'node:sqlite'
import type { TerminalState } from '../../../../lib/states.ts'
import { QUEUED, SITEMAP_KIND, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import type { ActiveCrawl, ActiveCrawls } from '../crawl-state/active-crawls.ts'
import type { Leases } from '../leases.ts'

export interface RestoreRevisitsDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  leases: Leases
}

/** Returns how many; 0 if none are left that are not in flight. */
export type RestoreRevisitsBatch = (crawl: ActiveCrawl, now: number) => number

/** Rows per transaction, to keep it short. */
const CHUNK = 5000

export function makeRestoreRevisitsBatch({
  db,
  transactions,
  active,
  leases,
}: RestoreRevisitsDependencies): RestoreRevisitsBatch {
  const hasRecrawl = db.prepare('select 1 from recrawls where crawl = ?')
  const select = db.prepare(
    `select u.id, u.host, u.kind, u.due_at, r.state, r.reason
     from urls u indexed by urls_queue join revisits r on r.url_id = u.id
     where u.crawl = ? and u.state = ${QUEUED} limit ${CHUNK}`,
  )
  const restore = db.prepare('update urls set state = ?, reason = ?, due_at = 0 where id = ?')
  const restoreOne = (crawl: ActiveCrawl, row: Record<string, unknown>): void => {
    const state = stateFromCode(Number(row['state'])) as TerminalState
    restore.run(Number(row['state']), row['reason'] as string | null, Number(row['id']))
    crawl.openCount -= 1
    crawl.endedCounts[state] += 1
    if (state === 'visited' && row['kind'] === SITEMAP_KIND) crawl.sitemaps += 1
    const queue = crawl.schedule.queues.get(Number(row['host']))
    if (queue === undefined) return
    queue.claimable -= 1
    if (Number(row['due_at']) > 0) queue.retries -= 1
    if (queue.retries === 0) queue.nextRetryAt = Number.POSITIVE_INFINITY
  }
  return (crawl, now) => {
    if (hasRecrawl.get(crawl.rowId) === undefined) return 0
    const rows = select.all(crawl.rowId).filter(({ id }) => leases.urlInFlight(Number(id)) === undefined)
    if (rows.length === 0) return 0
    transactions.run(() => {
      for (const row of rows) restoreOne(crawl, row)
      active.save(crawl, now)
    })
    return rows.length
  }
}
