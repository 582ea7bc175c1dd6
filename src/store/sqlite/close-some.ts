// A crawl that shall end before its queue is empty: once nothing is in flight, what is queued becomes excluded.

import type { DatabaseSync } from 'node:sqlite'
import { QUEUED, stateCode } from '../rows/codes.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import type { Transactions } from './transaction.ts'

/** Rows excluded per transaction, so that nothing else waits long. */
const CLOSE_CHUNK = 20_000

export type CloseSome = (crawl: ActiveCrawl, now: number) => void

export function closingIn(db: DatabaseSync, transactions: Transactions, crawls: ActiveCrawls): CloseSome {
  const exclude = db.prepare(
    `update urls set state = ${stateCode('excluded')}, reason = ? where id in
       (select id from urls indexed by urls_queue where crawl = ? and state = ${QUEUED} limit ${CLOSE_CHUNK})`,
  )
  return (crawl, now) => {
    transactions.run(() => {
      const excluded = Number(exclude.run(crawl.closing, crawl.rowId).changes)
      crawl.open -= excluded
      crawl.ended.excluded += excluded
      crawls.save(crawl, now)
    })
  }
}
