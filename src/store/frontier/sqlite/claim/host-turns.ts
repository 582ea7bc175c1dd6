// Crawls that want the same host take turns at it: whoever has had it for a while gets no more urls for it, and when it
// comes back it is kept for the crawl that was served longest ago.

import type { ActiveCrawl, ActiveCrawls } from '../crawl-state/active-crawls.ts'
import type { Host } from '../hosts.ts'

/** A crawl that has workers asks for work at least this often. */
const ASKED_RECENTLY_MS = 60_000
/** No turn is kept for a crawl so soon after one that it let pass. */
const TURN_PASSED_MS = 10_000

/** The crawl that has waited longest for the host, other than this one. */
export function findNextCrawl(crawls: ActiveCrawls, host: Host, now: number, than: ActiveCrawl): ActiveCrawl | null {
  let next: ActiveCrawl | null = null
  let servedAt = Number.POSITIVE_INFINITY
  for (const crawl of crawls.all()) {
    const queue = crawl.schedule.queues.get(host.id)
    if (crawl === than || queue === undefined || !queue.isWaitingForTurn(now) || !hasAskedRecently(crawl, now)) continue
    if (crawl.blockedHosts.has(host.id) || now - queue.turnPassedAt < TURN_PASSED_MS || queue.servedAt >= servedAt)
      continue
    next = crawl
    servedAt = queue.servedAt
  }
  return next
}

/** The host is granted to this crawl. If it was kept for another, that one did not come. */
export function endReservation(crawls: ActiveCrawls, host: Host, now: number, to: ActiveCrawl): void {
  const { reservation } = host
  host.reservation = null
  if (reservation === null || reservation.worker !== null || reservation.crawl === to.rowId) return
  const missed = crawls.all().find(({ rowId }) => rowId === reservation.crawl)
  const queue = missed?.schedule.queues.get(host.id)
  if (queue !== undefined) queue.turnPassedAt = now
}

function hasAskedRecently({ status, closing, lastAskedAt }: ActiveCrawl, now: number): boolean {
  return status === 'running' && closing === null && now - lastAskedAt < ASKED_RECENTLY_MS
}
