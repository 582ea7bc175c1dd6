// Admits deferred URLs after the depth limit was raised, in batches, to keep transactions short. Every lease
// request processes one batch, and the crawl does not complete before all are done.

import type { DatabaseSync } from 'node:sqlite'
import { stateCode } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import type { ActiveCrawl, ActiveCrawls } from '../crawl-state/active-crawls.ts'
import type { UrlDiscoverer } from './discover.ts'

/** Pages whose links are admitted per transaction. */
const CHUNK = 200

export type AdmitDeferredBatch = (crawl: ActiveCrawl, now: number) => void

export interface AdmitDeferredDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  urlDiscoverer: UrlDiscoverer
}

export function makeAdmitDeferredBatch({
  db,
  transactions,
  active,
  urlDiscoverer,
}: AdmitDeferredDependencies): AdmitDeferredBatch {
  const next = db.prepare(
    `select b.url_id, u.depth, u.hops, u.state from beyond b join urls u on u.id = b.url_id
     where b.crawl = ? and b.url_id > ? order by b.url_id limit ${CHUNK}`,
  )
  return (crawl, now) => {
    const from = crawl.deferredCursor
    if (from === null) return
    transactions.run(() => {
      const rows = next.all(crawl.rowId, from)
      for (const row of rows) {
        const isRedirect = row['state'] === stateCode('redirected')
        const at = { depth: Number(row['depth']), hops: Number(row['hops']) }
        urlDiscoverer.propagatePath(crawl, { from: Number(row['url_id']), ...at, isRedirect }, now)
      }
      crawl.deferredCursor = rows.length < CHUNK ? null : Number(rows.at(-1)?.['url_id'])
      active.save(crawl, now)
    })
  }
}
