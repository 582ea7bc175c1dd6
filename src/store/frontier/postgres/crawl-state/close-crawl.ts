// Ends a crawl before its queue is empty: once nothing is in flight, queued URLs become excluded, in batches, so that
// nothing else waits long.

import { isRecrawled } from '../../../../frontier/revisit-plan.ts'
import { isActive, type TerminalState } from '../../../../lib/states.ts'
import { QUEUED, SITEMAP_KIND, stateCode, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { applyShorterPaths, type ShorterPathDependencies } from '../discovery/apply-shorter-paths.ts'
import { requeueExpired } from '../requeue-leases.ts'
import { addChange, addToCounters, type CounterChanges } from './counters.ts'
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

/** Those queued for a revisit return to their last outcome. */
const RESTORE = {
  name: 'close_restore',
  text: `with locked as (
      select u.crawl, u.id, u.host, r.state, r.reason
      from urls u join revisits r on r.crawl = u.crawl and r.host = u.host and r.url_id = u.id
      where u.crawl = $1 and u.state = ${QUEUED} limit ${CLOSE_CHUNK} for update of u skip locked
    )
    update urls u set state = k.state, reason = k.reason, due_at = 0 from locked k
    where u.crawl = k.crawl and u.id = k.id and u.host = k.host returning u.state, u.kind`,
}

export async function closeCrawlBatch(
  tx: Queryable,
  crawl: CachedCrawl,
  { holder, reason, now }: { holder: string; reason: string; now: number },
): Promise<CrawlState> {
  const restored = isRecrawled(crawl.settings) ? (await tx.query({ ...RESTORE, values: [crawl.id] })).rows : []
  const changes: CounterChanges = {}
  for (const { state, kind } of restored) {
    const outcome = stateFromCode(Number(state)) as TerminalState
    addChange(changes, 'open', -1)
    addChange(changes, outcome)
    if (outcome === 'visited' && kind === SITEMAP_KIND) addChange(changes, 'sitemaps')
  }
  if (restored.length === 0) {
    const excluded = (await tx.query({ ...EXCLUDE, values: [crawl.id, reason] })).rowCount ?? 0
    addChange(changes, 'open', -excluded)
    addChange(changes, 'excluded', excluded)
  }
  await addToCounters(tx, { crawl: crawl.id, holder }, changes)
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
