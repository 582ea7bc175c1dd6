// The page limit of a crawl that goes on: once it has all its pages, those that were never visited are excluded, and
// revisits and requisites go on.

import { goesOnAtPageLimit, hasAllPages } from '../../../../frontier/limits.ts'
import { isActive } from '../../../../lib/states.ts'
import { QUEUED, REQUISITE_KIND, stateCode } from '../../../encoding/state-codes.ts'
import type { Database } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { StoreClock } from '../../../postgres/store-clock.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { addToCounters } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { endIfDone, readCrawlState, toPageCounts } from '../crawl-state/crawl-state.ts'

const CHUNK = 20_000

const OF_SAME_URL = 'r.crawl = u.crawl and r.host = u.host and r.url_id = u.id'
const EXCLUDE = {
  name: 'page_limit_exclude',
  text: `with locked as (
      select u.crawl, u.id, u.host from urls u where u.crawl = $1 and u.state = ${QUEUED}
        and u.kind <> ${REQUISITE_KIND} and not exists (select 1 from revisits r where ${OF_SAME_URL}) limit ${CHUNK} for update of u skip locked
    )
    update urls u set state = ${stateCode('excluded')}, reason = 'max_pages', due_at = 0 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host`,
}

/** Returns how many were excluded. */
export async function excludeBeyondPageLimit(
  { db, time }: { db: Database; time: StoreClock },
  crawl: CachedCrawl,
  holder: string,
): Promise<number> {
  if (!goesOnAtPageLimit(crawl.settings)) return 0
  return db.withRetries(async () => {
    const crawlState = await readCrawlState(db.pool, crawl.id)
    const { settings } = crawl
    if (!isActive(crawlState.status) || !hasAllPages(settings, toPageCounts(settings, crawlState))) return 0
    return db.transaction(async (tx) => {
      const { excluded } = await excludeUnvisitedPages(tx, crawl.id, holder)
      if (excluded === 0) return 0
      await endIfDone(tx, crawl, await time.now(tx))
      await notifyWork(tx, crawl.id)
      return excluded
    })
  })
}

/** A batch of them. `isDone`: none are left that others have not locked. */
export async function excludeUnvisitedPages(
  tx: Queryable,
  crawl: number,
  holder: string,
): Promise<{ excluded: number; isDone: boolean }> {
  const excluded = (await tx.query({ ...EXCLUDE, values: [crawl] })).rowCount ?? 0
  if (excluded > 0) await addToCounters(tx, { crawl, holder }, { open: -excluded, excluded })
  return { excluded, isDone: excluded < CHUNK }
}
