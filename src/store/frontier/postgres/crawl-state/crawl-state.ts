// The current state of a crawl, and its end (G6). A crawl is complete when nothing is open and no shorter path is
// pending. A commit that may have finished the last URL locks the row of the crawl and reads again. If several commits
// finish the last URLs at once, they take the row lock one after the other, and the last one sees that nothing is left. The
// row of the crawl is the last one a transaction locks.

import {
  countPages,
  idleStatus,
  isPageLimitReached,
  mayOweEndToPageLimit,
  PAGES_SQL,
  type PageCounts,
} from '../../../../frontier/limits.ts'
import { type CrawlStatus, isActive } from '../../../../lib/states.ts'
import type { CrawlSettings } from '../../../../ports/crawls.ts'
import { crawlNotFoundError } from '../../../crawls/crawl-row.ts'
import { stateCode } from '../../../encoding/state-codes.ts'
import { type Queryable, withoutTimeout } from '../../../postgres/query.ts'
import { type CachedCrawl, readCrawl } from './crawl-cache.ts'

export interface CrawlState {
  status: CrawlStatus
  closing: string | null
  /** URLs that are queued or in progress. */
  open: number
  inProgress: number
  /** Visited URLs that are not sitemaps. */
  pages: number
  /** Open URLs that were visited before, and pages that were visited, also while they are queued again (--recrawl). */
  openRevisits: number
  knownPages: number
  hasShorterPaths: boolean
  /** Links are held back, to be judged once nothing is open (held-links.ts). */
  hasHeldLinks: boolean
  /** Visited pages are being checked for new patterns to render (check-render-patterns.ts). */
  hasUncheckedPatterns: boolean
  /** Version of the settings and blocked hosts. */
  version: number
}

const READ = {
  name: 'crawl_state_read',
  text: `select c.status, c.closing, c.version, n.open, n.in_progress, n.pages, n.open_revisits, n.known_pages,
      exists (select 1 from detours d where d.crawl = c.id) as has_shorter_paths,
      exists (select 1 from held_urls h where h.crawl = c.id) as has_held,
      exists (select 1 from render_patterns p where p.crawl = c.id and p.checked_to is not null) as has_unchecked
    from crawls c cross join lateral (
      select coalesce(sum(open), 0)::bigint as open, coalesce(sum(in_progress), 0)::bigint as in_progress,
        coalesce(sum${PAGES_SQL}, 0)::bigint as pages, coalesce(sum(open_revisits), 0)::bigint as open_revisits,
        coalesce(sum(known_pages), 0)::bigint as known_pages
      from counters where crawl = c.id) n
    where c.id = $1`,
}

const LOCK = { name: 'crawl_state_lock', text: 'select id from crawls where id = $1 for no key update' }
const CLOSE = {
  name: 'crawl_state_close',
  text: 'update crawls set closing = $2, reason = $2 where id = $1 and closing is null',
}
const BEYOND_PAGE_LIMIT = {
  name: 'crawl_state_beyond_page_limit',
  text: `select 1 from urls where crawl = $1 and state = ${stateCode('excluded')} and reason = 'max_pages' limit 1`,
}
const SET_STATUS = {
  name: 'crawl_state_end',
  text: 'update crawls set status = $2, finished_at = $3 where id = $1',
}
const CLEAR_BEYOND = { name: 'crawl_state_clear_deferred', text: 'delete from beyond where crawl = $1' }
const CLEAR_HELD = { name: 'crawl_state_clear_held', text: 'delete from held_urls where crawl = $1' }
const CLEAR_TRIALS = { name: 'crawl_state_clear_trials', text: 'delete from trial_visits where crawl = $1' }
const CLEAR_LINES = { name: 'crawl_state_clear_lines', text: 'delete from pattern_lines where crawl = $1' }
/** Rows locked by a lease request stay, but are never read again. */
const CLEAR_QUEUES = {
  name: 'crawl_state_clear_queues',
  text: `delete from queues where crawl = $1 and host in
    (select host from queues where crawl = $1 order by host for update skip locked)`,
}

export async function readCrawlState(db: Queryable, crawl: number): Promise<CrawlState> {
  const [row] = (await db.query({ ...READ, values: [crawl] })).rows
  if (row === undefined) throw crawlNotFoundError(`number ${crawl}`)
  return {
    status: row['status'] as CrawlStatus,
    closing: row['closing'] as string | null,
    open: Number(row['open']),
    inProgress: Number(row['in_progress']),
    pages: Number(row['pages']),
    openRevisits: Number(row['open_revisits']),
    knownPages: Number(row['known_pages']),
    hasShorterPaths: row['has_shorter_paths'] === true,
    hasHeldLinks: row['has_held'] === true,
    hasUncheckedPatterns: row['has_unchecked'] === true,
    version: Number(row['version']),
  }
}

export function toPageCounts(settings: CrawlSettings, crawlState: CrawlState): PageCounts {
  return countPages(settings, { ...crawlState, visited: crawlState.pages })
}

/** Reads the state with the row of the crawl locked. */
export async function lockCrawlState(tx: Queryable, crawl: number): Promise<CrawlState> {
  const locked = tx.query({ ...LOCK, values: [crawl] })
  const [, crawlState] = await Promise.all([locked, readCrawlState(tx, crawl)])
  return crawlState
}

export type KnownCrawl = Pick<CachedCrawl, 'id' | 'uuid' | 'settings' | 'version'>

/** The current settings. The row of the crawl must be locked. */
export async function currentSettings(
  tx: Queryable,
  crawl: KnownCrawl,
  { version }: CrawlState,
): Promise<CrawlSettings> {
  return version === crawl.version ? crawl.settings : (await readCrawl(tx, crawl)).settings
}

/** Closes the crawl if it has reached its page limit, and ends it, or sets it to `watching`, if nothing is left. Must be the last step of a transaction. */
export async function endIfDone(tx: Queryable, crawl: KnownCrawl, now: number): Promise<CrawlState> {
  const { id } = crawl
  const seen = await readCrawlState(tx, id)
  if (!isActive(seen.status)) return seen
  if (seen.status === 'running' && seen.open > seen.inProgress && crawl.settings.maxPages === null) return seen
  const crawlState = await lockCrawlState(tx, id)
  if (!isActive(crawlState.status)) return crawlState
  const settings = await currentSettings(tx, crawl, crawlState)
  if (crawlState.closing === null && isPageLimitReached(settings, crawlState)) {
    crawlState.closing = 'max_pages'
    await tx.query({ ...CLOSE, values: [id, crawlState.closing] })
  }
  const { open, hasShorterPaths, hasHeldLinks, hasUncheckedPatterns } = crawlState
  const isWaiting = (hasHeldLinks || hasUncheckedPatterns) && crawlState.closing === null
  const isIdle = open === 0 && !hasShorterPaths && !isWaiting
  if (isIdle && crawlState.closing === null && (await owesEndToPageLimit(tx, id, settings, crawlState))) {
    crawlState.closing = 'max_pages'
    await tx.query({ ...CLOSE, values: [id, crawlState.closing] })
  }
  const status = isIdle ? idleStatus(settings, crawlState.closing) : 'running'
  if (status === crawlState.status) return crawlState
  crawlState.status = status
  await tx.query({ ...SET_STATUS, values: [id, status, isActive(status) ? null : now] })
  if (!isActive(status)) await clearPending(tx, id)
  return crawlState
}

async function owesEndToPageLimit(
  tx: Queryable,
  crawl: number,
  settings: CrawlSettings,
  { pages }: CrawlState,
): Promise<boolean> {
  if (!mayOweEndToPageLimit(settings, pages)) return false
  return (await tx.query({ ...BEYOND_PAGE_LIMIT, values: [crawl] })).rows.length > 0
}

async function clearPending(tx: Queryable, id: number): Promise<void> {
  await withoutTimeout(tx, { ...CLEAR_BEYOND, values: [id] })
  await withoutTimeout(tx, { ...CLEAR_HELD, values: [id] })
  await withoutTimeout(tx, { ...CLEAR_LINES, values: [id] })
  await withoutTimeout(tx, { ...CLEAR_TRIALS, values: [id] })
  await withoutTimeout(tx, { ...CLEAR_QUEUES, values: [id] })
}
