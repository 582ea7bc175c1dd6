// Known pages that another page loads. If one is open, this is noted in its kind; if a page limit left it out, it becomes
// a requisite.

import { PAGE_LIMIT_REASONS_SQL } from '../../../../frontier/kind-changes.ts'
import {
  IN_PROGRESS,
  LOADED_PAGE_KIND,
  PAGE_KIND,
  PAGE_KINDS_SQL,
  QUEUED,
  REQUISITE_KIND,
  stateCode,
} from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { addChange } from '../crawl-state/counters.ts'
import type { DiscoveryInput, DiscoveryResult } from './discover.ts'

const EXCLUDED = stateCode('excluded')
const UNVISITED = new Set([QUEUED, IN_PROGRESS, EXCLUDED])

const NOTE = {
  name: 'urls_note_loaded',
  text: `with wanted as materialized (select $1::int as crawl, unnest($2::bigint[]) as id), was as (
      select u.crawl, u.id, u.host, u.state = ${EXCLUDED} as is_left_out from wanted w join urls u on u.crawl = w.crawl and u.id = w.id
      where u.state in (${QUEUED}, ${IN_PROGRESS}) and u.kind = ${PAGE_KIND}
        or u.state = ${EXCLUDED} and u.kind in ${PAGE_KINDS_SQL} and u.reason in ${PAGE_LIMIT_REASONS_SQL}
      order by u.id for update of u
    ), noted as (
      update urls u set kind = ${LOADED_PAGE_KIND} from was
      where not is_left_out and u.crawl = was.crawl and u.id = was.id and u.host = was.host
    )
    update urls u set kind = ${REQUISITE_KIND}, depth = 0, hops = 1, state = ${QUEUED}, reason = null from was
    where is_left_out and u.crawl = was.crawl and u.id = was.id and u.host = was.host returning u.host, u.rank`,
}

export async function loadPages(
  tx: Queryable,
  { crawl, now }: DiscoveryInput,
  pages: readonly { id: number; state: number }[],
  result: DiscoveryResult,
): Promise<void> {
  const ids = pages.filter(({ state }) => UNVISITED.has(state)).map(({ id }) => id)
  if (ids.length === 0) return
  const { rows } = await tx.query({ ...NOTE, values: [crawl.id, ids] })
  addChange(result.changes, 'open', rows.length)
  addChange(result.changes, 'excluded', -rows.length)
  for (const row of rows)
    result.hostsWithUrls.push({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now })
}
