// Requeues URLs that were excluded with a trap, because pages outside the trap have links to them too.

import { QUEUED, stateCode, TRAP_REASON } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { addChange } from '../crawl-state/counters.ts'
import type { DiscoveryInput, DiscoveryResult } from './discover.ts'

const REQUEUE = {
  name: 'urls_requeue_excluded',
  text: `with wanted as materialized (select $1::int as crawl, unnest($2::bigint[]) as id), was as (
      select u.crawl, u.id, u.host from wanted w join urls u on u.crawl = w.crawl and u.id = w.id
      where u.state = ${stateCode('excluded')} and u.reason like '${TRAP_REASON}%' order by u.id for update of u
    )
    update urls u set state = ${QUEUED}, reason = null from was
    where u.crawl = was.crawl and u.id = was.id and u.host = was.host returning u.host, u.rank`,
}

export async function requeueExcluded(
  tx: Queryable,
  { crawl, now }: DiscoveryInput,
  ids: readonly number[],
  result: DiscoveryResult,
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await tx.query({ ...REQUEUE, values: [crawl.id, ids] })
  addChange(result.changes, 'open', rows.length)
  addChange(result.changes, 'excluded', -rows.length)
  for (const row of rows)
    result.hostsWithUrls.push({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now })
}
