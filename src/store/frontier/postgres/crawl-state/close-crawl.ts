// Ends a crawl before its queue is empty: once nothing is in flight, queued URLs become excluded, in batches, to
// keep transactions short. Queued revisits return to their last outcome instead.

import { isActive } from '../../../../lib/states.ts'
import { QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { applyShorterPaths, type ShorterPathDependencies } from '../discovery/apply-shorter-paths.ts'
import { restoreRevisits } from '../recrawl/restore-revisits.ts'
import { requeueExpired } from '../requeue-leases.ts'
import { addToCounters } from './counters.ts'
import type { CachedCrawl } from './crawl-cache.ts'
import { type CrawlState, endIfDone, readCrawlState } from './crawl-state.ts'

const CLOSE_CHUNK = 20_000

const EXCLUDE = {
  name: 'close_exclude',
  text: `with locked as (
      select crawl, id, host from urls where crawl = $1 and state = ${QUEUED} limit ${CLOSE_CHUNK} for update skip locked
    )
    update urls u set state = ${stateCode('excluded')}, reason = $2 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host`,
}

export async function closeCrawlBatch(
  tx: Queryable,
  crawl: CachedCrawl,
  { holder, reason, now }: { holder: string; reason: string; now: number },
): Promise<CrawlState> {
  if ((await restoreRevisits(tx, crawl.id, holder)) === 0) {
    const excluded = (await tx.query({ ...EXCLUDE, values: [crawl.id, reason] })).rowCount ?? 0
    await addToCounters(tx, { crawl: crawl.id, holder }, { open: -excluded, excluded })
  }
  const crawlState = await endIfDone(tx, crawl, now)
  if (crawlState.status !== 'running') await notifyWork(tx, crawl.id)
  return crawlState
}

/** Closes as far as possible without waiting. The workers that have URLs in flight, or ask for some, do the rest. */
export async function closeCrawlNow(
  dependencies: ShorterPathDependencies,
  crawl: CachedCrawl,
  holder: string,
): Promise<void> {
  const { db, time } = dependencies
  await db.withRetries(async () => requeueExpired(db, { holder, now: await time.now(db.pool) }))
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { status, closing, open, inProgress, hasShorterPaths } = await db.withRetries(() =>
      readCrawlState(db.pool, crawl.id),
    )
    if (!isActive(status) || closing === null || inProgress > 0 || open >= before) return
    before = open
    if (hasShorterPaths) await applyShorterPaths(dependencies, crawl, holder)
    await db.withRetries(() =>
      db.transaction(async (tx) => closeCrawlBatch(tx, crawl, { holder, reason: closing, now: await time.now(tx) })),
    )
  }
}
