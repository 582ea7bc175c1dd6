// Adds URLs to a crawl that has not ended.

import type { DatabaseSync } from 'node:sqlite'
import { rankOfPriority } from '../../frontier/rank.ts'
import type { Clock } from '../../lib/clock.ts'
import type { AddedUrls, UrlPriority } from '../../ports/control.ts'
import type { FoundUrl } from '../../ports/visits.ts'
import { QUEUED } from '../encoding/state-codes.ts'
import type { ActiveCrawl, ActiveCrawls } from '../frontier/sqlite/crawl-state/active-crawls.ts'
import type { UrlDiscoverer } from '../frontier/sqlite/discovery/discover.ts'
import type { Transactions } from '../sqlite/transactions.ts'
import { assertTakesUrls } from './control-rules.ts'

export interface AddUrlsDependencies {
  db: DatabaseSync
  clock: Clock
  transactions: Transactions
  active: ActiveCrawls
  urlDiscoverer: UrlDiscoverer
}

export type AddUrls = (crawlId: string, urls: FoundUrl[], priority: UrlPriority | null) => AddedUrls

export function makeAddUrls({ db, clock, transactions, active, urlDiscoverer }: AddUrlsDependencies): AddUrls {
  const setRank = db.prepare(
    `update urls set rank = ?1 where crawl = ?2 and key = ?3 and state = ${QUEUED} and (?4 or rank > ?1) returning host`,
  )
  /** Whether the rank has changed. */
  const changeRank = (crawl: ActiveCrawl, found: FoundUrl, rank: number, isNew: boolean, now: number): boolean => {
    const row = setRank.get(rank, crawl.rowId, found.key, isNew ? 1 : 0)
    const queue = row === undefined ? undefined : crawl.schedule.queues.get(Number(row['host']))
    if (queue === undefined) return false
    queue.reopen(rank)
    crawl.schedule.reschedule(queue, now)
    return true
  }
  return (crawlId, urls, priority) => {
    const crawl = active.get(crawlId)
    assertTakesUrls(crawl)
    const now = clock.now()
    const result: AddedUrls = { added: 0, raised: 0 }
    transactions.run(() => {
      for (const found of urls) {
        const isNew = urlDiscoverer.add(crawl, found, { parent: null, depth: 0, hops: 0 }, now)
        if (isNew) result.added += 1
        if (priority === null) continue
        const isRaised = changeRank(crawl, found, rankOfPriority(priority), isNew, now)
        if (isRaised && !isNew) result.raised += 1
      }
      active.save(crawl, now)
    })
    return result
  }
}
