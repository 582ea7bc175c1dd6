// Crawls that want the same host take turns: after a turn a lease is no longer topped up, and a released host is
// reserved for the crawl that was served longest ago.

import type { ActiveCrawl, ActiveCrawls } from '../crawl-state/active-crawls.ts'
import type { Host } from '../hosts.ts'

/** A crawl with workers asks for hosts at least this often. */
const ACTIVE_MS = 60_000
/** A crawl that missed its turn gets no reservation for this long. */
const MISSED_TURN_MS = 10_000

/** The waiting crawl that was served longest ago, except `except`. */
export function findNextCrawl(crawls: ActiveCrawls, host: Host, now: number, except: ActiveCrawl): ActiveCrawl | null {
  let next: ActiveCrawl | null = null
  let servedAt = Number.POSITIVE_INFINITY
  for (const crawl of crawls.all()) {
    const queue = crawl.schedule.queues.get(host.id)
    if (crawl === except || queue === undefined || !queue.isWaitingForTurn(now) || !isActive(crawl, now)) continue
    if (crawl.blockedHosts.has(host.id) || now - queue.missedTurnAt < MISSED_TURN_MS || queue.servedAt >= servedAt)
      continue
    next = crawl
    servedAt = queue.servedAt
  }
  return next
}

/** Grants the host to `to`. If it was reserved for another crawl, that crawl has missed its turn. */
export function endReservation(crawls: ActiveCrawls, host: Host, now: number, to: ActiveCrawl): void {
  const { reservation } = host
  host.reservation = null
  if (reservation === null || reservation.holder !== null || reservation.crawl === to.rowId) return
  const missed = crawls.all().find(({ rowId }) => rowId === reservation.crawl)
  const queue = missed?.schedule.queues.get(host.id)
  if (queue !== undefined) queue.missedTurnAt = now
}

function isActive({ status, closing, lastHostRequestAt }: ActiveCrawl, now: number): boolean {
  return status === 'running' && closing === null && now - lastHostRequestAt < ACTIVE_MS
}
