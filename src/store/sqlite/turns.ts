// Crawls that want the same host take turns at it: whoever has had it for a while gets no more urls for it, and when it
// comes back it is kept for the crawl that was served longest ago.

import { TURN_MS } from '../rows/turn.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import type { Host } from './hosts.ts'
import type { HeldLease } from './leases.ts'

/** A crawl that has workers asks for work at least this often. */
const ASKS_WITHIN_MS = 60_000
/** No turn is kept for a crawl so soon after one that it let pass. */
const PASSED_MS = 10_000

/** The crawl that has waited longest for the host, other than this one. */
export function nextInTurn(crawls: ActiveCrawls, host: Host, now: number, than: ActiveCrawl): ActiveCrawl | null {
  let next: ActiveCrawl | null = null
  let servedAt = Number.POSITIVE_INFINITY
  for (const crawl of crawls.all()) {
    const queue = crawl.schedule.queues.get(host.id)
    if (crawl === than || queue === undefined || !queue.wantsTurn(now) || !isAsking(crawl, now)) continue
    if (crawl.blocked.has(host.id) || now - queue.passedAt < PASSED_MS || queue.servedAt >= servedAt) continue
    next = crawl
    servedAt = queue.servedAt
  }
  return next
}

/** The host is granted to this crawl. If it was kept for another, that one did not come. */
export function endKeeping(crawls: ActiveCrawls, host: Host, now: number, to: ActiveCrawl): void {
  const { kept } = host
  host.kept = null
  if (kept === null || kept.worker !== null || kept.crawl === to.rowId) return
  const missed = crawls.all().find(({ rowId }) => rowId === kept.crawl)
  const queue = missed?.schedule.queues.get(host.id)
  if (queue !== undefined) queue.passedAt = now
}

export function isTurnOver(lease: HeldLease, now: number): boolean {
  return now - lease.grantedAt >= TURN_MS
}

function isAsking({ status, closing, askedAt }: ActiveCrawl, now: number): boolean {
  return status === 'running' && closing === null && now - askedAt < ASKS_WITHIN_MS
}
