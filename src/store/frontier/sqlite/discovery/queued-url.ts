// A known URL and its place in the queue of its host, in memory.

import type { PathLength } from '../../../../frontier/shortest-path.ts'
import type { TerminalState } from '../../../../lib/states.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'
import type { Hosts } from '../hosts.ts'
import type { Leases } from '../leases.ts'

export interface KnownUrl extends PathLength {
  id: number
  host: number
  state: number
  reason: string | null
  kind: number
  attempts: number
}

export const KNOWN_URL_QUERY =
  'select id, host, state, reason, kind, attempts, depth, hops from urls where crawl = ? and key = ?'

export interface ReopenedUrl {
  host: number
  rank: number
  was: TerminalState
  dueAt?: number
}

/** Counts a finished URL as queued again. Its row is updated already. With a `dueAt` it is queued as a retry. */
export function reopenUrl(
  hosts: Hosts,
  crawl: ActiveCrawl,
  { host: hostId, rank, was, dueAt = 0 }: ReopenedUrl,
  now: number,
): void {
  crawl.endedCounts[was] -= 1
  crawl.openCount += 1
  const host = hosts.byId(hostId)
  if (host === undefined) return
  const queue = crawl.schedule.queueOf(host)
  queue.claimable += 1
  if (dueAt > 0) queue.addDelayed(dueAt)
  else queue.reopen(rank)
  crawl.schedule.reschedule(queue, now)
}

/** A queued URL has another path and rank. Its row is updated already. */
export function applyShorterPath(
  leases: Leases,
  crawl: ActiveCrawl,
  known: Pick<KnownUrl, 'id' | 'host'>,
  { depth, hops, rank }: PathLength & { rank: number },
): void {
  const inFlight = leases.urlInFlight(known.id)
  if (inFlight !== undefined) {
    inFlight.depth = depth
    inFlight.hops = hops
  } else {
    crawl.schedule.queues.get(known.host)?.reopen(rank)
  }
}
