// Requeues pages of new patterns to render that were read without rendering, in batches, to keep transactions short. Every
// lease request checks one batch, and the crawl does not complete before all are checked.

import { CHECKED_PAGES, hasUncheckedPattern, rendersAgain, staysAsRead } from '../../../../frontier/render-patterns.ts'
import { toCompleteness } from '../../../encoding/completeness-codes.ts'
import { PAGE_KINDS_SQL, QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { notifyWork } from '../../../postgres/work-notifier.ts'
import { addToCounters } from '../crawl-state/counters.ts'
import type { CachedCrawl } from '../crawl-state/crawl-cache.ts'
import { endIfDone, readCrawlState } from '../crawl-state/crawl-state.ts'
import { readLockedCrawl } from '../crawl-state/settings-lock.ts'
import { mergeQueuedHosts, queueHosts } from '../queues.ts'
import type { ShorterPathDependencies } from './apply-shorter-paths.ts'

const VISITED = stateCode('visited')

/** Leaves out rows that another process is checking. */
const LOCK_UNCHECKED = {
  name: 'render_patterns_unchecked',
  text: `select pattern, checked_to from render_patterns where crawl = $1 and checked_to is not null
    order by pattern for update skip locked`,
}
/** $3: null if all pages were checked. */
const SET_CHECKED = {
  name: 'render_patterns_checked',
  text: `update render_patterns set checked_to = case when $3::bigint is not null then greatest(checked_to, $3) end
    where crawl = $1 and pattern = any($2::text[])`,
}
const NEXT_PAGES = {
  name: 'render_patterns_pages',
  text: `select u.id, u.host, u.depth, u.url, case when u.kind in ${PAGE_KINDS_SQL} and u.state = ${VISITED} then
        (select v.plain_look from visits v
          where v.crawl = u.crawl and v.host = u.host and v.url_id = u.id and v.attempt = u.attempts) end as look
    from urls u where u.crawl = $1 and u.id > $2 order by u.id limit ${CHECKED_PAGES}`,
}
const REQUEUE = {
  name: 'render_patterns_requeue',
  text: `with wanted as (
      select crawl, id, host from urls where crawl = $1 and id = any($2::bigint[]) and state = ${VISITED} order by id for update
    )
    update urls u set state = ${QUEUED}, reason = null from wanted w
    where u.crawl = w.crawl and u.id = w.id and u.host = w.host returning u.host, u.rank, u.url`,
}

export async function checkRenderPatterns(
  dependencies: ShorterPathDependencies,
  crawl: CachedCrawl,
  holder: string,
): Promise<void> {
  const { db } = dependencies
  await db.withRetries(() => db.transaction((tx) => checkBatch(tx, dependencies, crawl, holder)))
}

async function checkBatch(
  tx: Queryable,
  { time, policies }: ShorterPathDependencies,
  cachedCrawl: CachedCrawl,
  holder: string,
): Promise<void> {
  const { rows: patterns } = await tx.query({ ...LOCK_UNCHECKED, values: [cachedCrawl.id] })
  if (patterns.length === 0) return
  const unchecked = new Map(patterns.map((row) => [String(row['pattern']), Number(row['checked_to'])]))
  const crawl = await readLockedCrawl(tx, cachedCrawl)
  const { closing } = await readCrawlState(tx, crawl.id)
  const now = await time.now(tx)
  const from = Math.min(...unchecked.values())
  const mustCheck = rendersAgain(crawl.settings, closing)
  const rows = mustCheck ? (await tx.query({ ...NEXT_PAGES, values: [crawl.id, from] })).rows : []
  const ids = rows.flatMap((row) => {
    const page = { id: Number(row['id']), url: String(row['url']), completeness: toCompleteness(row['look']) }
    if (!hasUncheckedPattern(unchecked, page)) return []
    const place = { host: Number(row['host']), depth: Number(row['depth']) }
    return staysAsRead(crawl, place, policies.resolve(new URL(page.url).host)) ? [] : [page.id]
  })
  const requeued = ids.length === 0 ? [] : (await tx.query({ ...REQUEUE, values: [crawl.id, ids] })).rows
  const checkedTo = rows.length < CHECKED_PAGES ? null : Number(rows.at(-1)?.['id'])
  await tx.query({ ...SET_CHECKED, values: [crawl.id, [...unchecked.keys()], checkedTo] })
  const hostsWithUrls = requeued.map((row) => ({
    host: Number(row['host']),
    rank: Number(row['rank']),
    dueAt: now,
    weight: policies.weightOf(new URL(String(row['url'])).host),
  }))
  await queueHosts(tx, crawl.id, { hostsWithUrls: mergeQueuedHosts(hostsWithUrls), releasedHosts: [] }, now)
  await addToCounters(tx, { crawl: crawl.id, holder }, { visited: -requeued.length, open: requeued.length })
  await endIfDone(tx, crawl, now)
  await notifyWork(tx, crawl.id)
}
