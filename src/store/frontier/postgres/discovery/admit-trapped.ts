// Requeues URLs that were excluded with a trap, for pages outside it that link to them. These become their parents even if
// their paths are longer, or the visits would be trials of the trap.

import type { DiscoveryPath } from '../../../../frontier/url-discoveries.ts'
import { QUEUED, stateCode, TRAP_REASON } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { addChange } from '../crawl-state/counters.ts'
import type { DiscoveryInput, DiscoveryResult } from './discover.ts'

const REQUEUE = {
  name: 'urls_admit_trapped',
  text: `with wanted as materialized (
      select $1::int as crawl, w.*
      from unnest($2::bigint[], $3::bigint[], $4::int[], $5::int[]) as w (id, parent, depth, hops)), was as (
      select u.crawl, u.id, u.host, w.parent, w.depth, w.hops from wanted w join urls u on u.crawl = w.crawl and u.id = w.id
      where u.state = ${stateCode('excluded')} and u.reason like '${TRAP_REASON}%' order by u.id for update of u
    )
    update urls u set state = ${QUEUED}, reason = null, parent = was.parent, depth = was.depth, hops = was.hops
    from was
    where u.crawl = was.crawl and u.id = was.id and u.host = was.host returning u.host, u.rank`,
}

export interface TrappedUrl {
  id: number
  path: DiscoveryPath
}

export async function admitTrapped(
  tx: Queryable,
  { crawl, now }: DiscoveryInput,
  urls: readonly TrappedUrl[],
  result: DiscoveryResult,
): Promise<void> {
  if (urls.length === 0) return
  const values = [
    crawl.id,
    urls.map(({ id }) => id),
    urls.map(({ path }) => path.parent),
    urls.map(({ path }) => path.depth),
    urls.map(({ path }) => path.hops),
  ]
  const { rows } = await tx.query({ ...REQUEUE, values })
  addChange(result.changes, 'open', rows.length)
  addChange(result.changes, 'excluded', -rows.length)
  for (const row of rows)
    result.hostsWithUrls.push({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now })
}
