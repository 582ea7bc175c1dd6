// The maximum of pages per crawl that a policy sets for a host. The host is exclusive to one thread, so no other
// thread claims its URLs in the meantime.

import { hostPageAllowance } from '../../../../frontier/host-pages.ts'
import { HOST_MAX_PAGES } from '../../../../ports/policies.ts'
import { IN_PROGRESS, PAGE_KINDS_SQL, QUEUED, REQUISITE_KIND, stateCode } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { leaveOutSql } from '../recrawl/page-limit.ts'

const VISITED = stateCode('visited')

/**
 * A requisite that became a page has a visit, but none as a page, until it is visited again or has a new history.
 * Reads the visits of the host, as many as there are pages at most: about 1 ms per
 * thousand. Other hosts do not pay.
 */
const COUNT = {
  name: 'host_pages_count',
  text: `with wanted as materialized (select $1::int as crawl, $2::int as host)
    select (select count(*) from (
        select distinct v.url_id from wanted w join visits v on v.crawl = w.crawl and v.host = w.host
          join urls u on u.crawl = v.crawl and u.id = v.url_id and u.host = v.host
        where v.state = ${VISITED} and u.kind in ${PAGE_KINDS_SQL} and (u.state = ${VISITED} or exists (
          select 1 from revisits r where r.crawl = u.crawl and r.host = u.host and r.url_id = u.id)) limit $3) p) as pages,
      (select count(*) from urls where crawl = $1 and host = $2 and state = ${IN_PROGRESS}) as in_flight`,
}

/** URLs excluded per grant, so that its transaction stays short. */
const CHUNK = 20_000

const EXCLUDE = {
  name: 'host_pages_exclude',
  text: `with wanted as materialized (select $1::int as crawl, $2::int as host), locked as (
      select u.crawl, u.id, u.host from wanted w
        join urls u on u.crawl = w.crawl and u.host = w.host and u.state = ${QUEUED}
      where u.kind <> ${REQUISITE_KIND}
        and not exists (select 1 from revisits r where r.crawl = u.crawl and r.host = u.host and r.url_id = u.id)
      limit ${CHUNK} for update of u skip locked
    ), ${leaveOutSql(HOST_MAX_PAGES)}`,
}

/**
 * Number of URLs of the host that may be claimed, and number of URLs excluded because the host has reached its
 * limit.
 */
export async function claimableUrls(
  tx: Queryable,
  { crawl, host }: { crawl: number; host: number },
  maxPages: number,
): Promise<{ urls: number; excluded: number }> {
  const [row] = (await tx.query({ ...COUNT, values: [crawl, host, maxPages] })).rows
  const counts = { pages: Number(row?.['pages']), inFlight: Number(row?.['in_flight']) }
  const allowance = hostPageAllowance(maxPages, counts)
  if (allowance.kind === 'claim') return { urls: allowance.urls, excluded: 0 }
  const [leftOut] = (await tx.query({ ...EXCLUDE, values: [crawl, host] })).rows
  const [excluded, loaded] = [Number(leftOut?.['excluded']), Number(leftOut?.['loaded'])]
  // Only revisits and requisites are left after that.
  return { urls: excluded + loaded > 0 ? 0 : Number.POSITIVE_INFINITY, excluded }
}
