// A crawl that shall end before its queue is empty: once nothing is in flight, what is queued becomes excluded, a piece
// at a time, so that nothing else waits long.

import { stateCode } from '../shared/codes.ts'
import { addToCounters } from './counters.ts'
import type { CrawlRow } from './crawl-rows.ts'
import type { Queryable } from './query.ts'
import { endIfDone, type Standing } from './standing.ts'
import { notify } from './wake.ts'

const CLOSE_CHUNK = 20_000

const EXCLUDE = {
  name: 'close_exclude',
  text: `with locked as (
      select crawl, id, host from urls where crawl = $1 and state = 2 limit ${CLOSE_CHUNK} for update skip locked
    )
    update urls u set state = ${stateCode('excluded')}, reason = $2 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host`,
}

export async function closeSome(
  tx: Queryable,
  crawl: CrawlRow,
  { worker, reason, now }: { worker: string; reason: string; now: number },
): Promise<Standing> {
  const { rowCount } = await tx.query({ ...EXCLUDE, values: [crawl.id, reason] })
  const excluded = rowCount ?? 0
  await addToCounters(tx, { crawl: crawl.id, worker }, { open: -excluded, excluded })
  const standing = await endIfDone(tx, crawl, now)
  if (standing.status !== 'running') await notify(tx, crawl.id)
  return standing
}
