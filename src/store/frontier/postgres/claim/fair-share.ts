// The number of hosts of a crawl that a worker takes as soon as they are due: its fair share, rounded up. Without
// it, the first worker to ask would take all hosts and keep them. A host that nobody has claimed for three
// seconds may be taken by any worker, so a worker that has a share but never asks delays its hosts by three seconds
// at most. This divides one crawl among workers; how crawls share a host is in host-turns.ts.

import { HEARTBEAT_TIMEOUT_MS } from '../../../../ports/workers.ts'
import type { Queryable } from '../../../postgres/query.ts'

/**
 * A host that has been due for this long may be taken by any worker. Every worker learns of a new crawl within two
 * seconds.
 */
export const UNCLAIMED_AFTER_MS = 3_000

/**
 * SQL: the number of workers that share the crawls, if $3 is one of them. Other callers, such as external crawlers,
 * have no share. `t` holds the current time.
 */
export const SHARING_WORKERS = `(select case when bool_or(w.process = split_part($3, '/', 1)::bigint) then count(*) else 1 end
    from workers w where w.state = 'working' and w.seen_at > t.now - ${HEARTBEAT_TIMEOUT_MS} and w.figures::json ->> 'held' is null)`

/** Counts hosts only as far as they matter: up to $3 more than the worker has, for each of $4 workers. */
const COUNT = {
  name: 'share_count',
  text: `with o as materialized (
      select count(*) as own from leases where crawl = $1 and starts_with(worker, split_part($2, '/', 1) || '/'))
    select o.own, (select count(*) from
      (select 1 from queues where crawl = $1 limit (select (o.own + $3::int) * $4::int from o)) q) as hosts
    from o`,
}

export interface ShareRequest {
  crawl: number
  holder: string
  /** Workers that share the crawl. */
  sharingWorkers: number
}

/** The number of hosts, up to `maxHosts`, that the worker may add to those of its process. */
export async function readFairShare(db: Queryable, shareRequest: ShareRequest, maxHosts: number): Promise<number> {
  const { crawl, holder, sharingWorkers } = shareRequest
  if (sharingWorkers <= 1) return maxHosts
  const [row] = (await db.query({ ...COUNT, values: [crawl, holder, maxHosts, sharingWorkers] })).rows
  return Math.max(0, Math.ceil(Number(row?.['hosts']) / sharingWorkers) - Number(row?.['own']))
}
