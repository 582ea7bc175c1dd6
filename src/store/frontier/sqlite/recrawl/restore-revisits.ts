// Returns URLs that are queued for a revisit to their last outcome: when --recrawl is turned off, the crawl is closed, or
// they are beyond a new limit.

import type { DatabaseSync } from 'node:sqlite'
import { toUrlKind } from '../../../../frontier/kind-changes.ts'
import type { TerminalState } from '../../../../lib/states.ts'
import { QUEUED, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import { type ActiveCrawl, type ActiveCrawls, countVisitedKind } from '../crawl-state/active-crawls.ts'
import type { Leases } from '../leases.ts'

export interface RestoreRevisitsDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  leases: Leases
  restoreRevisit: RestoreRevisit
}

/** A row with id, host, kind and due_at of a queued URL, and the state and reason of its last outcome. */
export type RestoreRevisit = (crawl: ActiveCrawl, row: Record<string, unknown>) => void

/** Returns how many; 0 if none are left that are not in flight. */
export type RestoreRevisitsBatch = (crawl: ActiveCrawl, now: number) => number

/** Rows per transaction, to keep it short. */
const CHUNK = 5000

/** Call within a transaction. The URL is due again after its interval. */
export function makeRestoreRevisit(db: DatabaseSync): RestoreRevisit {
  const restore = db.prepare('update urls set state = ?, reason = ?, due_at = 0 where id = ?')
  const plan = db.prepare('update revisits set due_at = visited_at + interval_ms where url_id = ? and due_at is null')
  return (crawl, row) => {
    const state = stateFromCode(Number(row['state'])) as TerminalState
    restore.run(Number(row['state']), row['reason'] as string | null, Number(row['id']))
    if (plan.run(Number(row['id'])).changes === 1) crawl.openRevisits -= 1
    crawl.openCount -= 1
    crawl.endedCounts[state] += 1
    if (state === 'visited') countVisitedKind(crawl, toUrlKind(row['kind']), 1)
    crawl.schedule.queues.get(Number(row['host']))?.removeQueued(Number(row['due_at']) > 0)
  }
}

export function makeRestoreRevisitsBatch({
  db,
  transactions,
  active,
  leases,
  restoreRevisit,
}: RestoreRevisitsDependencies): RestoreRevisitsBatch {
  const hasRecrawl = db.prepare('select 1 from recrawls where crawl = ?')
  const select = db.prepare(
    `select u.id, u.host, u.kind, u.due_at, r.state, r.reason
     from urls u indexed by urls_queue join revisits r on r.url_id = u.id
     where u.crawl = ? and u.state = ${QUEUED} limit ${CHUNK}`,
  )
  return (crawl, now) => {
    if (hasRecrawl.get(crawl.rowId) === undefined) return 0
    const rows = select.all(crawl.rowId).filter(({ id }) => leases.urlInFlight(Number(id)) === undefined)
    if (rows.length === 0) return 0
    transactions.run(() => {
      for (const row of rows) restoreRevisit(crawl, row)
      active.save(crawl, now)
    })
    return rows.length
  }
}
