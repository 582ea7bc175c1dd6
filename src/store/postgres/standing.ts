// How a crawl stands, and its end (G6). A crawl is complete when nothing is open and no shorter way waits to be passed
// on. Who may have ended the last url locks the row of the crawl and looks again: of several last commits each waits for
// the one before, so the last of them sees them all. It is the last row that a transaction locks.

import type { CrawlSettings } from '../../ports/crawls.ts'
import type { CrawlStatus } from '../../ports/state.ts'
import { type CrawlRow, crawlNotFound, readCrawl } from './crawl-rows.ts'
import { type Queryable, unhurried } from './query.ts'

export interface Standing {
  status: CrawlStatus
  closing: string | null
  /** queued + in progress. */
  open: number
  inProgress: number
  /** Visited urls that were no sitemaps. */
  pages: number
  hasDetours: boolean
  /** Links are held back, to be judged when nothing is open (held-links.ts). */
  hasHeld: boolean
  /** Of its settings and blocked hosts. */
  version: number
}

const LOOK = {
  name: 'standing',
  text: `select c.status, c.closing, c.version, n.open, n.in_progress, n.pages,
      exists (select 1 from detours d where d.crawl = c.id) as has_detours,
      exists (select 1 from held_links h where h.crawl = c.id) as has_held
    from crawls c cross join lateral (
      select coalesce(sum(open), 0)::bigint as open, coalesce(sum(in_progress), 0)::bigint as in_progress,
        coalesce(sum(visited - sitemaps), 0)::bigint as pages
      from counters where crawl = c.id) n
    where c.id = $1`,
}

const LOCK = { name: 'standing_lock', text: 'select id from crawls where id = $1 for no key update' }
const CLOSE = {
  name: 'standing_close',
  text: 'update crawls set closing = $2, reason = $2 where id = $1 and closing is null',
}
const END = {
  name: 'standing_end',
  text: 'update crawls set status = $2, finished_at = $3 where id = $1',
}
const CLEAR_BEYOND = { name: 'standing_clear_beyond', text: 'delete from beyond where crawl = $1' }
const CLEAR_HELD = { name: 'standing_clear_held', text: 'delete from held_links where crawl = $1' }
const CLEAR_LINES = { name: 'standing_clear_lines', text: 'delete from pattern_lines where crawl = $1' }
/** Rows that a lease looks at just now stay; nobody asks for them again. */
const CLEAR_QUEUES = {
  name: 'standing_clear_queues',
  text: `delete from queues where crawl = $1 and host in
    (select host from queues where crawl = $1 order by host for update skip locked)`,
}

export async function standingOf(db: Queryable, crawl: number): Promise<Standing> {
  const [row] = (await db.query({ ...LOOK, values: [crawl] })).rows
  if (row === undefined) throw crawlNotFound(`number ${crawl}`)
  return {
    status: row['status'] as CrawlStatus,
    closing: row['closing'] as string | null,
    open: Number(row['open']),
    inProgress: Number(row['in_progress']),
    pages: Number(row['pages']),
    hasDetours: row['has_detours'] === true,
    hasHeld: row['has_held'] === true,
    version: Number(row['version']),
  }
}

/** Looks with the row of the crawl locked. */
export async function lockedStanding(tx: Queryable, crawl: number): Promise<Standing> {
  const locked = tx.query({ ...LOCK, values: [crawl] })
  const [, standing] = await Promise.all([locked, standingOf(tx, crawl)])
  return standing
}

export type KnownCrawl = Pick<CrawlRow, 'id' | 'uuid' | 'settings' | 'version'>

/** With the row of the crawl locked: a limit that has changed since it was last seen counts as it is now. */
export async function settingsAt(tx: Queryable, crawl: KnownCrawl, { version }: Standing): Promise<CrawlSettings> {
  return version === crawl.version ? crawl.settings : (await readCrawl(tx, crawl)).settings
}

/** Closes the crawl when it has its pages, and ends it when nothing is left. The last step of a transaction. */
export async function endIfDone(tx: Queryable, crawl: KnownCrawl, now: number): Promise<Standing> {
  const { id } = crawl
  const seen = await standingOf(tx, id)
  if (seen.status !== 'running' || (seen.open > seen.inProgress && crawl.settings.maxPages === null)) return seen
  const standing = await lockedStanding(tx, id)
  if (standing.status !== 'running') return standing
  const { maxPages } = await settingsAt(tx, crawl, standing)
  const isFull = maxPages !== null && standing.pages >= maxPages && (standing.open > 0 || standing.hasHeld)
  if (isFull && standing.closing === null) {
    standing.closing = 'max_pages'
    await tx.query({ ...CLOSE, values: [id, standing.closing] })
  }
  if (standing.open > 0 || standing.hasDetours || (standing.hasHeld && standing.closing === null)) return standing
  standing.status = standing.closing === 'cancelled' ? 'cancelled' : 'completed'
  await tx.query({ ...END, values: [id, standing.status, now] })
  await unhurried(tx, { ...CLEAR_BEYOND, values: [id] })
  await unhurried(tx, { ...CLEAR_HELD, values: [id] })
  await unhurried(tx, { ...CLEAR_LINES, values: [id] })
  await unhurried(tx, { ...CLEAR_QUEUES, values: [id] })
  return standing
}
