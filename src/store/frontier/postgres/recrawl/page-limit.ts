// The page limit of a crawl with --recrawl: once it has all its pages, URLs that were never visited are excluded, and
// revisits go on.

import { countsRevisits, hasAllPages, NO_OPEN_REVISITS, type OpenRevisits } from '../../../../frontier/limits.ts'
import { isActive } from '../../../../lib/states.ts'
import type { CrawlSettings } from '../../../../ports/crawls.ts'
import { IN_PROGRESS, PAGE_KIND, QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import type { Database } from '../../../postgres/database.ts'
import type { Queryable } from '../../../postgres/query.ts'
import type { StoreClock } from '../../../postgres/store-clock.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { addToCounters } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { endIfDone, readCrawlState } from '../crawl-state/crawl-state.ts'

const CHUNK = 20_000

const OF_SAME_URL = 'r.crawl = u.crawl and r.host = u.host and r.url_id = u.id'
const COUNT = {
  name: 'page_limit_count_revisits',
  text: `select count(*) as urls, count(*) filter (where r.state = ${stateCode('visited')} and u.kind = ${PAGE_KIND}) as pages
    from urls u join revisits r on ${OF_SAME_URL} where u.crawl = $1 and u.state in (${QUEUED}, ${IN_PROGRESS})`,
}
const EXCLUDE = {
  name: 'page_limit_exclude',
  text: `with locked as (
      select u.crawl, u.id, u.host from urls u where u.crawl = $1 and u.state = ${QUEUED}
        and not exists (select 1 from revisits r where ${OF_SAME_URL}) limit ${CHUNK} for update of u skip locked
    )
    update urls u set state = ${stateCode('excluded')}, reason = 'max_pages', due_at = 0 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host`,
}

export async function countOpenRevisits(db: Queryable, crawl: number, settings: CrawlSettings): Promise<OpenRevisits> {
  if (!countsRevisits(settings)) return NO_OPEN_REVISITS
  const [row] = (await db.query({ ...COUNT, values: [crawl] })).rows
  return { urls: Number(row?.['urls']), pages: Number(row?.['pages']) }
}

/** Returns how many were excluded. */
export async function excludeBeyondPageLimit(
  { db, time }: { db: Database; time: StoreClock },
  crawl: CachedCrawl,
  holder: string,
): Promise<number> {
  if (!countsRevisits(crawl.settings)) return 0
  return db.withRetries(async () => {
    const crawlState = await readCrawlState(db.pool, crawl.id)
    const revisits = await countOpenRevisits(db.pool, crawl.id, crawl.settings)
    if (!isActive(crawlState.status) || !hasAllPages(crawl.settings, crawlState, revisits)) return 0
    return db.transaction(async (tx) => {
      const excluded = (await tx.query({ ...EXCLUDE, values: [crawl.id] })).rowCount ?? 0
      await addToCounters(tx, { crawl: crawl.id, holder }, { open: -excluded, excluded })
      await endIfDone(tx, crawl, await time.now(tx))
      await notifyWork(tx, crawl.id)
      return excluded
    })
  })
}
