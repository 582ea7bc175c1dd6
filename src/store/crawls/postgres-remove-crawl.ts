// Removes a crawl and everything that belongs to it. First it is marked, which finishes it, so that no process works
// on it. Then its rows are deleted in batches, each with its part of the ledger; the row of the crawl goes last. If
// the process dies midway, the mark remains and the next call continues. If there are two concurrent callers, one
// waits for the other.

import { isActive } from '../../lib/states.ts'
import { REMOVING, stateFromCode } from '../encoding/state-codes.ts'
import { addChange, addToCounters, type CounterChanges } from '../frontier/postgres/crawl-state/counters.ts'
import type { CachedCrawl } from '../frontier/postgres/crawl-state/crawl-cache.ts'
import { lockCrawlState } from '../frontier/postgres/crawl-state/crawl-state.ts'
import { requeueExpired } from '../frontier/postgres/requeue-leases.ts'
import type { Database } from '../postgres/database.ts'
import { type Queryable, withoutTimeout } from '../postgres/query.ts'
import type { StoreClock } from '../postgres/store-clock.ts'
import { notifyWork } from '../postgres/work-notifier.ts'
import { dropCrawlPages } from '../retention/postgres-drop-pages.ts'
import { crawlRunningError } from './control-rules.ts'

export interface RemoveCrawlDependencies {
  db: Database
  time: StoreClock
  holder: string
}

/** Batch sizes per transaction: page versions, and URLs with everything that belongs to them. */
const PAGES = 500
const URLS = 1000

const MARK = `update crawls set status = 'cancelled', closing = '${REMOVING}', reason = '${REMOVING}',
    finished_at = coalesce(finished_at, $2), version = version + 1 where id = $1`

const URL_TABLES = ['visits', 'links', 'beyond', 'ancestry', 'detours', 'listings', 'revisits', 'script_urls']
  .map((table) => {
    const isOfDoomed = `t.crawl = d.crawl and t.host = d.host and t.url_id = d.id`
    return `${table}_gone as (delete from ${table} t using doomed d where ${isOfDoomed})`
  })
  .join(', ')
const REMOVE_URLS = {
  name: 'remove_urls',
  text: `with doomed as materialized (
      select crawl, host, id from urls where crawl = $1 order by id limit ${URLS} for update
    ), ${URL_TABLES}
    delete from urls u using doomed d where u.crawl = d.crawl and u.id = d.id and u.host = d.host returning u.state`,
}

/** Tables in the order in which commits lock them. */
const CRAWL_TABLES = [
  'detours',
  'queues',
  'rejections',
  'host_requests',
  'cookies',
  'rejection_samples',
  'patterns',
  'pattern_lines',
  'held_urls',
  'pattern_trials',
  'trial_visits',
  'render_patterns',
  'blocked_hosts',
  'crawl_samples',
  'recrawls',
  'revisit_hosts',
  'revisit_groups',
  'changes',
  'change_hosts',
  'audits',
  'audit_findings',
  'leases',
]
const COUNTER_TABLES = ['counters', 'marks']
/** Recording findings locks the row of the crawl, so findings in progress are seen once that row is deleted. */
const MONITOR_TABLES = ['monitor_states', 'monitor_hits']

const BY_CRAWL_UUID = ['outside_documents', 'indexer_reports', 'task_errors'].map(
  (table) => `delete from ${table} where crawl = (select uuid from crawls where id = $1)`,
)

const FIND_MARKED = {
  name: 'remove_next',
  text: `select id from crawls where closing = '${REMOVING}' order by id limit 1`,
}

export async function markForRemoval({ db, time, holder }: RemoveCrawlDependencies, crawl: CachedCrawl): Promise<void> {
  await db.withRetries(async () => requeueExpired(db, { holder, now: await time.now(db.pool) }))
  await db.withRetries(() => db.transaction(async (tx) => mark(tx, crawl, await time.now(tx))))
}

export async function removeNextBatch({ db, time, holder }: RemoveCrawlDependencies): Promise<boolean> {
  const inOne = <T>(work: (tx: Queryable) => Promise<T>) => db.withRetries(() => db.transaction(work))
  const [row] = (await db.withRetries(() => db.pool.query(FIND_MARKED))).rows
  if (row === undefined) return false
  const id = Number(row['id'])
  if ((await inOne(async (tx) => dropCrawlPages(tx, id, { now: await time.now(tx), limit: PAGES }))) > 0) return true
  if ((await inOne((tx) => removeUrls(tx, id, holder))) > 0) return true
  await inOne(async (tx) => {
    for (const table of [...CRAWL_TABLES, ...COUNTER_TABLES]) {
      await withoutTimeout(tx, { text: `delete from ${table} where crawl = $1`, values: [id] })
    }
    for (const text of BY_CRAWL_UUID) await tx.query({ text, values: [id] })
    await tx.query({ text: 'delete from crawls where id = $1', values: [id] })
    for (const table of MONITOR_TABLES) {
      await withoutTimeout(tx, { text: `delete from ${table} where crawl = $1`, values: [id] })
    }
  })
  return true
}

async function mark(tx: Queryable, { id, uuid }: CachedCrawl, now: number): Promise<void> {
  const { status, closing, inProgress } = await lockCrawlState(tx, id)
  if (closing === REMOVING) return
  if (isActive(status) || inProgress > 0) throw crawlRunningError(uuid)
  await tx.query({ text: MARK, values: [id, now] })
  await notifyWork(tx, id)
}

async function removeUrls(tx: Queryable, id: number, holder: string): Promise<number> {
  const { rows } = await tx.query({ ...REMOVE_URLS, values: [id] })
  const changes: CounterChanges = {}
  for (const row of rows) {
    const state = stateFromCode(Number(row['state']))
    addChange(changes, state === 'queued' || state === 'in_progress' ? 'open' : state, -1)
  }
  if (rows.length > 0) await addToCounters(tx, { crawl: id, holder }, changes)
  return rows.length
}
