// Excludes queued URLs whose host was blocked, or that are beyond a limit. Queued revisits return to their last
// outcome instead. URLs in flight are not touched; they are excluded if they return to the queue.

import type { DatabaseSync } from 'node:sqlite'
import { goesOnAtPageLimit, hasAllPages } from '../../../../frontier/limits.ts'
import { isActive } from '../../../../lib/states.ts'
import { HOST_MAX_PAGES } from '../../../../ports/policies.ts'
import {
  BLOCKED_HOST,
  LOADED_PAGE_KIND,
  QUEUED,
  REQUISITE_KIND,
  stateCode,
  TOO_DEEP,
} from '../../../encoding/state-codes.ts'
import type { Transactions } from '../../../sqlite/transactions.ts'
import type { HostQueue } from '../claim/host-schedule.ts'
import type { Leases } from '../leases.ts'
import type { RestoreRevisit } from '../recrawl/restore-revisits.ts'
import { type ActiveCrawl, type ActiveCrawls, readPageCounts } from './active-crawls.ts'

export interface QueueExclusionsDependencies {
  db: DatabaseSync
  transactions: Transactions
  active: ActiveCrawls
  leases: Leases
  restoreRevisit: RestoreRevisit
}

/** Rows per host and transaction, to keep it short. */
const CHUNK = 20_000

interface QueueFilter {
  reason: string
  /** Only URLs at a greater depth than this. */
  beyond: number
  /** Queued revisits return to their last outcome, too. */
  withRevisits: boolean
  /** If false, requisites stay queued, and a page that is also a requisite becomes one. */
  withRequisites: boolean
}

export interface QueueExclusions {
  /** Excludes URLs of blocked hosts and returns how many; 0 if nothing is left to exclude. */
  excludeBlocked(crawl: ActiveCrawl, now: number): number
  /** Excludes pages that were never visited once a crawl that goes on has all its pages. Returns how many. */
  excludeBeyondPageLimit(crawl: ActiveCrawl, now: number): number
  /** Excludes pages of a host that were never visited, once it has all that its policy allows. Returns how many. */
  excludeBeyondHostLimit(crawl: ActiveCrawl, queue: HostQueue, now: number): number
  /** Excludes the URLs of a host beyond the depth limit. */
  excludeTooDeep(crawl: ActiveCrawl, queue: HostQueue, now: number): void
}

export function makeQueueExclusions({
  db,
  transactions,
  active,
  leases,
  restoreRevisit,
}: QueueExclusionsDependencies): QueueExclusions {
  const select = db.prepare(
    `select u.id, u.host, u.kind, u.due_at, r.state, r.reason from urls u indexed by urls_queue
       left join revisits r on r.url_id = u.id
     where u.crawl = ? and u.host = ? and u.state = ${QUEUED} and u.depth > ? and u.id not in (select value from json_each(?))
       and (? or r.url_id is null) and (? or u.kind <> ${REQUISITE_KIND}) limit ${CHUNK}`,
  )
  const exclude = db.prepare(`update urls set state = ${stateCode('excluded')}, reason = ?, due_at = 0 where id = ?`)
  const becomeRequisite = db.prepare(`update urls set kind = ${REQUISITE_KIND}, depth = 0, hops = 1 where id = ?`)
  const excludeBatch = (crawl: ActiveCrawl, queue: HostQueue, filter: QueueFilter): number => {
    const inFlight = JSON.stringify(leases.urlIdsInFlight(crawl.rowId, queue.host.id))
    const flags = [filter.withRevisits, filter.withRequisites].map(Number)
    const rows = select.all(crawl.rowId, queue.host.id, filter.beyond, inFlight, ...flags)
    for (const row of rows) {
      if (row['state'] !== null) {
        restoreRevisit(crawl, row)
        continue
      }
      if (row['kind'] === LOADED_PAGE_KIND && !filter.withRequisites) {
        becomeRequisite.run(Number(row['id']))
        continue
      }
      exclude.run(filter.reason, Number(row['id']))
      queue.removeQueued(Number(row['due_at']) > 0)
      crawl.openCount -= 1
      crawl.endedCounts.excluded += 1
    }
    return rows.length
  }
  const inTransaction = (crawl: ActiveCrawl, now: number, exclude: () => number) =>
    transactions.run(() => {
      const excluded = exclude()
      active.save(crawl, now)
      return excluded
    })
  return {
    excludeBlocked(crawl, now) {
      if (crawl.blockedHosts.size === 0) return 0
      const queues = [...crawl.blockedHosts].flatMap((host) => crawl.schedule.queues.get(host) ?? [])
      const filled = queues.filter(({ claimable }) => claimable > 0)
      if (filled.length === 0) return 0
      const filter = { reason: BLOCKED_HOST, beyond: -1, withRevisits: true, withRequisites: true }
      return inTransaction(crawl, now, () => filled.reduce((sum, queue) => sum + excludeBatch(crawl, queue, filter), 0))
    },
    excludeBeyondPageLimit(crawl, now) {
      if (!goesOnAtPageLimit(crawl.settings) || !isActive(crawl.status)) return 0
      if (!hasAllPages(crawl.settings, readPageCounts(crawl))) return 0
      const filled = [...crawl.schedule.queues.values()].filter(({ claimable }) => claimable > 0)
      const filter = { reason: 'max_pages', beyond: -1, withRevisits: false, withRequisites: false }
      return inTransaction(crawl, now, () => filled.reduce((sum, queue) => sum + excludeBatch(crawl, queue, filter), 0))
    },
    excludeBeyondHostLimit(crawl, queue, now) {
      const filter = { reason: HOST_MAX_PAGES, beyond: -1, withRevisits: false, withRequisites: false }
      return inTransaction(crawl, now, () => excludeBatch(crawl, queue, filter))
    },
    excludeTooDeep(crawl, queue, now) {
      const { maxDepth } = crawl.settings
      if (maxDepth !== null)
        inTransaction(crawl, now, () =>
          excludeBatch(crawl, queue, { reason: TOO_DEEP, beyond: maxDepth, withRevisits: true, withRequisites: true }),
        )
    },
  }
}
