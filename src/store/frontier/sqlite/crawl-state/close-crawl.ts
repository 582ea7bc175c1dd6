// Ends a crawl before its queue is empty: once nothing is in flight, queued URLs become excluded. Those that were queued
// for a revisit return to their last outcome.

import type { DatabaseSync } from 'node:sqlite'
import { isRecrawled } from '../../../../frontier/revisit-plan.ts'
import type { TerminalState } from '../../../../lib/states.ts'
import { QUEUED, SITEMAP_KIND, stateCode, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawls.ts'

/** Rows per transaction, so that nothing else waits long. */
const CLOSE_CHUNK = 20_000

export type CloseCrawlBatch = (crawl: ActiveCrawl, now: number) => void

export function makeCloseCrawlBatch(
  db: DatabaseSync,
  transactions: Transactions,
  crawls: ActiveCrawls,
): CloseCrawlBatch {
  const queued = `select u.id from urls u indexed by urls_queue where u.crawl = ? and u.state = ${QUEUED}`
  const exclude = db.prepare(
    `update urls set state = ${stateCode('excluded')}, reason = ? where id in (${queued} limit ${CLOSE_CHUNK})`,
  )
  const restore = db.prepare(
    `update urls set state = r.state, reason = r.reason, due_at = 0 from revisits r where r.url_id = urls.id
       and urls.id in (${queued} and exists (select 1 from revisits v where v.url_id = u.id) limit ${CLOSE_CHUNK})
     returning urls.state, urls.kind`,
  )
  const restoreRevisits = (crawl: ActiveCrawl): number => {
    const rows = restore.all(crawl.rowId)
    for (const { state, kind } of rows) {
      const restored = stateFromCode(Number(state)) as TerminalState
      crawl.endedCounts[restored] += 1
      if (restored === 'visited' && kind === SITEMAP_KIND) crawl.sitemaps += 1
    }
    return rows.length
  }
  return (crawl, now) => {
    transactions.run(() => {
      const restored = isRecrawled(crawl.settings) ? restoreRevisits(crawl) : 0
      const excluded = restored > 0 ? 0 : Number(exclude.run(crawl.closing, crawl.rowId).changes)
      crawl.openCount -= restored + excluded
      crawl.endedCounts.excluded += excluded
      crawls.save(crawl, now)
    })
  }
}
