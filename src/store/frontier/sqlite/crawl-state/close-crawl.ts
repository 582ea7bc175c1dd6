// Ends a crawl before its queue is empty: once nothing is in flight, queued URLs become excluded. Queued revisits
// return to their last outcome instead.

import type { DatabaseSync } from 'node:sqlite'
import { QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import type { RestoreRevisitsBatch } from '../recrawl/restore-revisits.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawls.ts'

/** Rows per transaction, to keep it short. */
const CLOSE_CHUNK = 20_000

export type CloseCrawlBatch = (crawl: ActiveCrawl, now: number) => void

export interface CloseCrawlDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  restoreRevisitsBatch: RestoreRevisitsBatch
}

export function makeCloseCrawlBatch({
  db,
  transactions,
  active,
  restoreRevisitsBatch,
}: CloseCrawlDependencies): CloseCrawlBatch {
  const exclude = db.prepare(
    `update urls set state = ${stateCode('excluded')}, reason = ? where id in
       (select id from urls indexed by urls_queue where crawl = ? and state = ${QUEUED} limit ${CLOSE_CHUNK})`,
  )
  return (crawl, now) => {
    if (restoreRevisitsBatch(crawl, now) > 0) return
    transactions.run(() => {
      const excluded = Number(exclude.run(crawl.closing, crawl.rowId).changes)
      crawl.openCount -= excluded
      crawl.endedCounts.excluded += excluded
      active.save(crawl, now)
    })
  }
}
