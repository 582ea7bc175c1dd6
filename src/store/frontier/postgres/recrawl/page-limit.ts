// The page limit of a recrawled crawl: once it has all its pages, URLs that were never visited are excluded;
// revisits and requisites continue.

import { goesOnAtPageLimit, hasAllPages } from '../../../../frontier/limits.ts'
import { isActive } from '../../../../lib/states.ts'
import { LOADED_PAGE_KIND, QUEUED, REQUISITE_KIND, stateCode } from '../../../encoding/state-codes.ts'
import type { Database } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { StoreClock } from '../../../postgres/store-clock.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { addToCounters } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { endIfDone, readCrawlState, toPageCounts } from '../crawl-state/crawl-state.ts'

const CHUNK = 20_000

/** Pages of the relation `locked`, which are queued, are left out: excluded, or requisites if they are that as well. */
export function leaveOutSql(reason: string): string {
  const ofLocked = 'from locked k where u.crawl = k.crawl and u.id = k.id and u.host = k.host'
  return `loaded as (
      update urls u set kind = ${REQUISITE_KIND}, depth = 0, hops = 1 ${ofLocked} and u.kind = ${LOADED_PAGE_KIND} returning 1
    ), excluded as (
      update urls u set state = ${stateCode('excluded')}, reason = '${reason}', due_at = 0
      ${ofLocked} and u.kind <> ${LOADED_PAGE_KIND} returning 1
    )
    select (select count(*) from loaded) as loaded, (select count(*) from excluded) as excluded`
}

const OF_SAME_URL = 'r.crawl = u.crawl and r.host = u.host and r.url_id = u.id'
const EXCLUDE = {
  name: 'page_limit_exclude',
  text: `with locked as (
      select u.crawl, u.id, u.host from urls u where u.crawl = $1 and u.state = ${QUEUED}
        and u.kind <> ${REQUISITE_KIND} and not exists (select 1 from revisits r where ${OF_SAME_URL}) limit ${CHUNK} for update of u skip locked
    ), ${leaveOutSql('max_pages')}`,
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
  const [row] = (await tx.query({ ...EXCLUDE, values: [crawl] })).rows
  const [excluded, loaded] = [Number(row?.['excluded']), Number(row?.['loaded'])]
  if (excluded > 0) await addToCounters(tx, { crawl, holder }, { open: -excluded, excluded })
  return { excluded, isDone: excluded + loaded < CHUNK }
}
