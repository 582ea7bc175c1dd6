// Queued urls of hosts that a crawl leaves alone end as excluded, a piece at a time. Urls in flight stay with their
// holders; what comes back to the queue, or was found by a worker that had not heard, is excluded when work is asked for.

import { BLOCKED_HOST, stateCode } from '../rows/codes.ts'
import { addToCounters } from './counters.ts'
import type { CrawlRow } from './crawl-rows.ts'
import type { Database } from './database.ts'
import { endIfDone } from './standing.ts'
import type { Time } from './time.ts'
import { notify } from './wake.ts'

const CHUNK = 20_000

const EXCLUDE = {
  name: 'blocked_exclude',
  text: `with locked as (
      select u.crawl, u.id, u.host from unnest($2::int[]) as b (host)
        join urls u on u.crawl = $1 and u.host = b.host and u.state = 2
      limit ${CHUNK} for update of u skip locked
    )
    update urls u set state = ${stateCode('excluded')}, reason = '${BLOCKED_HOST}', due_at = 0 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host`,
}

/** Answers how many; 0 when there is nothing left that others do not have their hands on. */
export function excludeBlocked(
  { db, time }: { db: Database; time: Time },
  crawl: CrawlRow,
  worker: string,
): Promise<number> {
  return db.persist(() =>
    db.transaction(async (tx) => {
      const { rowCount } = await tx.query({ ...EXCLUDE, values: [crawl.id, [...crawl.blocked]] })
      const excluded = rowCount ?? 0
      if (excluded === 0) return 0
      await addToCounters(tx, { crawl: crawl.id, worker }, { open: -excluded, excluded })
      const { status } = await endIfDone(tx, crawl, await time.now(tx))
      if (status !== 'running') await notify(tx, crawl.id)
      return excluded
    }),
  )
}
