// Crawls that want the same host take turns at it: whoever has had it for a while gets no more urls for it, and when it
// comes back it is kept for the crawl that has waited longest. A crawl waits from when it was turned away until it is
// served, or until it lets its turn pass.

import { runPipelined } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'

/** Crawls other than `crawl` that wait for `host`, both of them expressions of SQL. */
export function waitingCrawls(crawl: string, host: string): string {
  return `select t.crawl, t.wanted_at from queues t join crawls k on k.id = t.crawl
    where t.host = ${host} and t.wanted_at is not null and t.crawl <> ${crawl} and k.status = 'running' and k.closing is null`
}

/** Passed over if somebody is at it: this is done out of the order in which rows are locked. */
const PASS = {
  name: 'turns_pass',
  text: `with missed as (
      select q.crawl, q.host from hosts h join queues q on q.crawl = h.kept_crawl and q.host = h.id
      where h.id = any($2::int[]) and h.kept_crawl <> $1 for no key update of q skip locked
    )
    update queues q set wanted_at = null from missed m where q.crawl = m.crawl and q.host = m.host`,
}

const FREE = {
  name: 'turns_free',
  text: 'update hosts set kept_crawl = null, kept_until = 0 where id = any($1::int[])',
}

/** These hosts were kept for a crawl, and are now served: to it, or to another because it did not come. */
export async function endReservations(tx: Queryable, crawl: number, hosts: number[]): Promise<void> {
  if (hosts.length === 0) return
  await runPipelined(tx.query({ ...PASS, values: [crawl, hosts] }), tx.query({ ...FREE, values: [hosts] }))
}
