// A crawl that goes with everything it has. It is marked first, so that it is finished and nobody works on it; then its
// rows go, a piece at a time and each piece with its part of the ledger; the row of the crawl goes last. If the process
// dies midway the mark is there, and whoever asks for the next piece goes on; two that ask at once share the work.

import { REMOVING, stateOf } from '../rows/codes.ts'
import { runningError } from '../rows/steering.ts'
import { addToCounters, type Changes, count } from './counters.ts'
import type { CrawlRow } from './crawl-rows.ts'
import type { Database } from './database.ts'
import { dropOfCrawl } from './drop-pages.ts'
import { type Queryable, unhurried } from './query.ts'
import { lockedStanding } from './standing.ts'
import { takeBackExpired } from './take-back.ts'
import type { Time } from './time.ts'
import { notify } from './wake.ts'

export interface RemoveParts {
  db: Database
  time: Time
  worker: string
}

/** Per transaction: versions of pages, and urls with all that hangs on them. */
const PAGES = 500
const URLS = 1000

const MARK = `update crawls set status = 'cancelled', closing = '${REMOVING}', reason = '${REMOVING}',
    finished_at = coalesce(finished_at, $2), version = version + 1 where id = $1`

const OF_URLS = ['visits', 'links', 'beyond', 'held_links', 'ancestry', 'detours', 'listings']
  .map((table) => {
    const isOfDoomed = `t.crawl = d.crawl and t.host = d.host and t.url_id = d.id`
    return `${table}_gone as (delete from ${table} t using doomed d where ${isOfDoomed})`
  })
  .join(', ')
const REMOVE_URLS = {
  name: 'remove_urls',
  text: `with doomed as materialized (
      select crawl, host, id from urls where crawl = $1 order by id limit ${URLS} for update
    ), ${OF_URLS}
    delete from urls u using doomed d where u.crawl = d.crawl and u.id = d.id and u.host = d.host returning u.state`,
}

/** In the order in which commits lock them. */
const REST = [
  'detours',
  'queues',
  'rejections',
  'rejection_samples',
  'patterns',
  'pattern_lines',
  'blocked_hosts',
  'crawl_samples',
  'leases',
]
const LAST = ['counters', 'marks']

const OUTSIDE = 'delete from outside_documents where crawl = (select uuid from crawls where id = $1)'

const NEXT = { name: 'remove_next', text: `select id from crawls where closing = '${REMOVING}' order by id limit 1` }

export async function markRemoved({ db, time, worker }: RemoveParts, crawl: CrawlRow): Promise<void> {
  await db.persist(async () => takeBackExpired(db, { worker, now: await time.now(db.pool) }))
  await db.persist(() => db.transaction(async (tx) => mark(tx, crawl, await time.now(tx))))
}

export async function removeSome({ db, time, worker }: RemoveParts): Promise<boolean> {
  const inOne = <T>(work: (tx: Queryable) => Promise<T>) => db.persist(() => db.transaction(work))
  const [row] = (await db.persist(() => db.pool.query(NEXT))).rows
  if (row === undefined) return false
  const id = Number(row['id'])
  if ((await inOne(async (tx) => dropOfCrawl(tx, id, { now: await time.now(tx), limit: PAGES }))) > 0) return true
  if ((await inOne((tx) => removeUrls(tx, id, worker))) > 0) return true
  await inOne(async (tx) => {
    for (const table of [...REST, ...LAST]) {
      await unhurried(tx, { text: `delete from ${table} where crawl = $1`, values: [id] })
    }
    await tx.query({ text: OUTSIDE, values: [id] })
    await tx.query({ text: 'delete from crawls where id = $1', values: [id] })
  })
  return true
}

async function mark(tx: Queryable, { id, uuid }: CrawlRow, now: number): Promise<void> {
  const { status, closing, inProgress } = await lockedStanding(tx, id)
  if (closing === REMOVING) return
  if (status === 'running' || inProgress > 0) throw runningError(uuid)
  await tx.query({ text: MARK, values: [id, now] })
  await notify(tx, id)
}

async function removeUrls(tx: Queryable, id: number, worker: string): Promise<number> {
  const { rows } = await tx.query({ ...REMOVE_URLS, values: [id] })
  const changes: Changes = {}
  for (const row of rows) {
    const state = stateOf(Number(row['state']))
    count(changes, state === 'queued' || state === 'in_progress' ? 'open' : state, -1)
  }
  if (rows.length > 0) await addToCounters(tx, { crawl: id, worker }, changes)
  return rows.length
}
