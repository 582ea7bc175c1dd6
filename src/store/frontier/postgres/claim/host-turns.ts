// Crawls that want the same host take turns: after a turn a lease is no longer topped up, and a released host is
// reserved for the crawl that has waited longest. A crawl waits from when it found the host taken (`wanted_at`) until it is
// served, or misses its turn. The rules are in src/frontier/host-turns.ts.

import { runPipelined } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'

/** Crawls other than `crawl` that wait for `host`; both are SQL expressions. */
export function waitingCrawls(crawl: string, host: string): string {
  return `select t.crawl, t.wanted_at from queues t join crawls k on k.id = t.crawl
    where t.host = ${host} and t.wanted_at is not null and t.crawl <> ${crawl} and k.status = 'running' and k.closing is null`
}

/** Skips locked rows, since this is out of the locking order. */
const MISS_TURN = {
  name: 'turns_miss',
  text: `with missed as (
      select q.crawl, q.host from hosts h join queues q on q.crawl = h.kept_crawl and q.host = h.id
      where h.id = any($2::int[]) and h.kept_crawl <> $1 for no key update of q skip locked
    )
    update queues q set wanted_at = null from missed m where q.crawl = m.crawl and q.host = m.host`,
}

const END_RESERVATION = {
  name: 'turns_end_reservation',
  text: 'update hosts set kept_crawl = null, kept_until = 0 where id = any($1::int[])',
}

/** Ends the reservations of granted hosts. A crawl that did not come for its reservation has missed its turn. */
export async function endReservations(tx: Queryable, crawl: number, hosts: number[]): Promise<void> {
  if (hosts.length === 0) return
  await runPipelined(
    tx.query({ ...MISS_TURN, values: [crawl, hosts] }),
    tx.query({ ...END_RESERVATION, values: [hosts] }),
  )
}
