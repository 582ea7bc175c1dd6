// Excludes queued URLs of blocked hosts, in batches. Queued revisits return to their last outcome instead. URLs in
// flight are not touched. URLs that return to the queue, or were found by a worker that did not know of the block,
// are excluded with the next lease request.

import { isRecrawled } from '../../../../ports/revisits.ts'
import { BLOCKED_HOST, QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import type { Database } from '../../../postgres/database.ts'
import type { StoreClock } from '../../../postgres/store-clock.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { restoreBlocked } from '../recrawl/restore-revisits.ts'
import { addChanges, addToCounters } from './counters.ts'
import type { CachedCrawl } from './crawl-cache.ts'
import { endIfDone } from './crawl-state.ts'
import { readLockedCrawl } from './settings-lock.ts'

const CHUNK = 20_000

const OF_BLOCKED = `from blocked_hosts b join urls u on u.crawl = b.crawl and u.host = b.host and u.state = ${QUEUED}
  where b.crawl = $1`
const IS_ANY = { name: 'blocked_is_any', text: `select exists (select 1 ${OF_BLOCKED}) as is_any` }
/**
 * Queued revisits are restored instead. Some may be left: more than are restored at once, or locked in the meantime.
 */
const EXCLUDE = {
  name: 'blocked_exclude',
  text: `with locked as (
      select u.crawl, u.id, u.host ${OF_BLOCKED} and (not $2::boolean or not exists (
        select 1 from revisits r where r.crawl = u.crawl and r.host = u.host and r.url_id = u.id))
      limit ${CHUNK} for update of u skip locked
    )
    update urls u set state = ${stateCode('excluded')}, reason = '${BLOCKED_HOST}', due_at = 0 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host`,
}

/**
 * Returns how many; 0 if nothing is left that others have not locked. Reads the hosts that are blocked now: a host that
 * is being unblocked keeps its URLs.
 */
export async function excludeBlocked(
  { db, time }: { db: Database; time: StoreClock },
  known: CachedCrawl,
  holder: string,
): Promise<number> {
  const [row] = (await db.withRetries(() => db.pool.query({ ...IS_ANY, values: [known.id] }))).rows
  if (row?.['is_any'] !== true) return 0
  return db.withRetries(() =>
    db.transaction(async (tx) => {
      const crawl = await readLockedCrawl(tx, known)
      const hasRevisits = isRecrawled(crawl.settings)
      const { restored, changes } = hasRevisits ? await restoreBlocked(tx, crawl.id) : { restored: 0, changes: {} }
      const excluded = (await tx.query({ ...EXCLUDE, values: [crawl.id, hasRevisits] })).rowCount ?? 0
      if (excluded + restored === 0) return 0
      addChanges(changes, { open: -excluded, excluded })
      await addToCounters(tx, { crawl: crawl.id, holder }, changes)
      const { status } = await endIfDone(tx, crawl, await time.now(tx))
      if (status !== 'running') await notifyWork(tx, crawl.id)
      return excluded + restored
    }),
  )
}
