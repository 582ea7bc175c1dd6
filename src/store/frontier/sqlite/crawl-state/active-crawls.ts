// The crawls in memory: counters as of the current transaction, and the schedule. The counters are written once per
// transaction. If that transaction fails, the whole store is closed (see store/sqlite/store.ts), so memory never runs
// ahead of the file.

import type { DatabaseSync } from 'node:sqlite'
import { parseCrawlSettings } from '../../../../config/crawl-settings.ts'
import { visitedCounterOf } from '../../../../frontier/kind-changes.ts'
import { countPages, idleStatus, mayOweEndToPageLimit, type PageCounts } from '../../../../frontier/limits.ts'
import {
  type CrawlStatus,
  isActive,
  isUnfinished,
  pageCount,
  TERMINAL_STATES,
  type TerminalState,
} from '../../../../lib/states.ts'
import type { CrawlSettings } from '../../../../ports/crawls.ts'
import { type HostRequests, MAX_REJECTED_SAMPLES, type RejectedLinkSample } from '../../../../ports/frontier.ts'
import type { UrlKind } from '../../../../ports/visits.ts'
import { crawlNotFoundError } from '../../../crawls/crawl-row.ts'
import { PAGE_KINDS_SQL, QUEUED, stateCode } from '../../../encoding/state-codes.ts'
import { HostSchedule } from '../claim/host-schedule.ts'
import type { Hosts } from '../hosts.ts'

export interface ActiveCrawl {
  readonly rowId: number
  readonly uuid: string
  settings: CrawlSettings
  readonly schedule: HostSchedule
  readonly endedCounts: Record<TerminalState, number>
  /** Ids of blocked hosts. */
  readonly blockedHosts: Set<number>
  status: CrawlStatus
  closing: string | null
  /**
   * URLs in `beyond` are being admitted after the depth limit was raised: done up to this URL; null: nothing to do.
   */
  deferredCursor: number | null
  /** Links are held back, to be judged once nothing is open (held-links.ts). */
  hasHeldLinks: boolean
  /** Visited pages are being checked for new patterns to render (render-patterns.ts). */
  hasUncheckedPatterns: boolean
  /** URLs that are queued or in progress. */
  openCount: number
  /** Number of open URLs that were visited before (in a recrawled crawl). */
  openRevisits: number
  /** Pages that were visited, also while they are queued again (in a recrawled crawl). */
  knownPages: number
  /** Visited URLs that are sitemaps, and all sitemaps in the ledger. */
  sitemaps: number
  sitemapsFound: number
  /** Visited URLs that are requisites. */
  requisites: number
  /** Sitemaps over the limit since the last commit. */
  sitemapsDropped: number
  bytes: number
  lateReports: number
  /** Pages by host id; null until a policy limits them. */
  hostPages: Map<number, number> | null
  /** When a thread last requested another host. */
  lastHostRequestAt: number
}

export function countCrawlPages({ endedCounts, sitemaps, requisites }: ActiveCrawl): number {
  return pageCount({ ledger: endedCounts, sitemaps, requisites })
}

/** Counts visited URLs of a kind that are not pages. */
export function countVisitedKind(crawl: ActiveCrawl, kind: UrlKind, by: 1 | -1): void {
  const counter = visitedCounterOf(kind)
  if (counter !== null) crawl[counter] += by
}

export function readPageCounts(crawl: ActiveCrawl): PageCounts {
  const { settings, openCount: open, openRevisits, knownPages } = crawl
  return countPages(settings, { visited: countCrawlPages(crawl), knownPages, open, openRevisits })
}

export class ActiveCrawls {
  readonly #crawls = new Map<string, ActiveCrawl>()
  readonly #db: DatabaseSync
  readonly #hosts: Hosts
  readonly #select
  readonly #queues
  readonly #save
  readonly #reject
  readonly #sample
  readonly #countRequests
  readonly #blocked
  readonly #held
  readonly #unchecked
  readonly #hostPages
  readonly #beyondPageLimit

  constructor(db: DatabaseSync, hosts: Hosts) {
    this.#db = db
    this.#hosts = hosts
    this.#select = db.prepare('select * from crawls where uuid = ?')
    this.#queues = db.prepare(
      `select host, count(*) as claimable, sum(due_at > 0) as delayed, min(rank) as rank,
              min(due_at) filter (where due_at > 0) as next_delayed_at
       from urls indexed by urls_queue where crawl = ? and state = ${QUEUED} group by host`,
    )
    // A crawl that has ended keeps its time; min is null while it has not.
    this.#save = db.prepare(
      `update crawls set status = ?, closing = ?, reason = ?, finished_at = min(coalesce(finished_at, 9e15), ?), is_deepening = ?, open = ?, open_revisits = ?, known_pages = ?, sitemaps = ?, sitemaps_found = ?, requisites = ?, bytes = ?, late_reports = ?,
         ${TERMINAL_STATES.map((state) => `${state} = ?`).join(', ')} where id = ?`,
    )
    this.#blocked = db.prepare('select host from blocked_hosts where crawl = ?')
    this.#hostPages = db.prepare(
      `select u.host, count(*) as pages from urls u where u.crawl = ? and u.kind in ${PAGE_KINDS_SQL}
         and (u.state = ${stateCode('visited')} or exists (select 1 from revisits r where r.url_id = u.id))
         and exists (select 1 from visits v where v.url_id = u.id and v.state = ${stateCode('visited')})
       group by u.host`,
    )
    this.#beyondPageLimit = db.prepare(
      `select 1 from urls where crawl = ? and state = ${stateCode('excluded')} and reason = 'max_pages' limit 1`,
    )
    this.#unchecked = db.prepare('select 1 from render_patterns where crawl = ? and checked_to is not null limit 1')
    this.#held = db.prepare('select 1 from held_urls where crawl = ? limit 1')
    this.#reject = db.prepare(
      `insert into rejections (crawl, reason, count) values (?, ?, ?)
       on conflict (crawl, reason) do update set count = count + excluded.count`,
    )
    this.#countRequests = db.prepare(
      `insert into host_requests (crawl, host, sent, rendered) values (?, ?, ?, ?)
       on conflict (crawl, host) do update set sent = sent + excluded.sent, rendered = rendered + excluded.rendered`,
    )
    this.#sample = db.prepare(
      `insert or ignore into rejection_samples (crawl, reason, sample, url_id) select ?1, ?2, ?3, ?4
       where (select count(*) from rejection_samples where crawl = ?1 and reason = ?2) < ${MAX_REJECTED_SAMPLES}`,
    )
  }

  all(): IteratorObject<ActiveCrawl> {
    return this.#crawls.values()
  }

  get(uuid: string): ActiveCrawl {
    return this.#crawls.get(uuid) ?? this.#load(uuid)
  }

  /** If nothing is open, ends the crawl or sets it to `watching`; then writes the counters. Must be the last statement of a transaction. */
  save(crawl: ActiveCrawl, now: number): void {
    // A closing crawl admits no more URLs.
    if (crawl.closing !== null) crawl.deferredCursor = null
    if (crawl.closing !== null) crawl.hasHeldLinks = false
    if (crawl.closing !== null) crawl.hasUncheckedPatterns = false
    const isAllDone = crawl.deferredCursor === null && !crawl.hasUncheckedPatterns && !crawl.hasHeldLinks
    const isIdle = crawl.openCount === 0 && isAllDone
    if (isIdle && crawl.closing === null && isActive(crawl.status) && this.#owesEndToPageLimit(crawl))
      crawl.closing = 'max_pages'
    if (isActive(crawl.status)) {
      crawl.status = isIdle ? idleStatus(crawl.settings, crawl.closing) : 'running'
      if (!isActive(crawl.status)) this.#clearPending(crawl)
    }
    this.#save.run(
      crawl.status,
      crawl.closing,
      crawl.closing,
      isUnfinished(crawl.status) ? null : now,
      crawl.deferredCursor === null ? 0 : 1,
      crawl.openCount,
      crawl.openRevisits,
      crawl.knownPages,
      crawl.sitemaps,
      crawl.sitemapsFound,
      crawl.requisites,
      crawl.bytes,
      crawl.lateReports,
      ...TERMINAL_STATES.map((state) => crawl.endedCounts[state]),
      crawl.rowId,
    )
  }

  #owesEndToPageLimit(crawl: ActiveCrawl): boolean {
    if (!mayOweEndToPageLimit(crawl.settings, countCrawlPages(crawl))) return false
    return this.#beyondPageLimit.get(crawl.rowId) !== undefined
  }

  /** Read once, from every URL of the crawl, and then kept up to date by the commits. */
  countHostPages(crawl: ActiveCrawl): Map<number, number> {
    crawl.hostPages ??= new Map(
      this.#hostPages.all(crawl.rowId).map((row) => [Number(row['host']), Number(row['pages'])]),
    )
    return crawl.hostPages
  }

  #clearPending(crawl: ActiveCrawl): void {
    for (const table of ['beyond', 'held_urls', 'pattern_lines', 'trial_visits'])
      this.#db.prepare(`delete from ${table} where crawl = ?`).run(crawl.rowId)
  }

  countRequests(crawl: ActiveCrawl, requests: Record<string, HostRequests>): void {
    for (const [host, { sent, rendered }] of Object.entries(requests))
      this.#countRequests.run(crawl.rowId, host, sent, rendered)
  }

  countRejected(crawl: ActiveCrawl, rejected: Record<string, number>, samples: RejectedLinkSample[]): void {
    if (crawl.sitemapsDropped > 0) this.#reject.run(crawl.rowId, 'too_many_sitemaps', crawl.sitemapsDropped)
    crawl.sitemapsDropped = 0
    for (const [reason, count] of Object.entries(rejected)) this.#reject.run(crawl.rowId, reason, count)
    for (const { reason, text, urlId } of samples) this.#sample.run(crawl.rowId, reason, text, urlId)
  }

  #load(uuid: string): ActiveCrawl {
    const row = this.#select.get(uuid)
    if (row === undefined) throw crawlNotFoundError(uuid)
    const settings = parseCrawlSettings(String(row['settings']))
    const crawl: ActiveCrawl = {
      rowId: Number(row['id']),
      uuid,
      settings,
      schedule: new HostSchedule(settings.perHost),
      endedCounts: Object.fromEntries(TERMINAL_STATES.map((s) => [s, Number(row[s])])) as Record<TerminalState, number>,
      status: row['status'] as CrawlStatus,
      closing: row['closing'] as string | null,
      deferredCursor: row['is_deepening'] === 1 ? 0 : null,
      blockedHosts: new Set(this.#blocked.all(Number(row['id'])).map(({ host }) => Number(host))),
      hasHeldLinks: this.#held.get(Number(row['id'])) !== undefined,
      hasUncheckedPatterns: this.#unchecked.get(Number(row['id'])) !== undefined,
      openCount: Number(row['open']),
      openRevisits: Number(row['open_revisits']),
      knownPages: Number(row['known_pages']),
      sitemaps: Number(row['sitemaps']),
      sitemapsFound: Number(row['sitemaps_found']),
      requisites: Number(row['requisites']),
      sitemapsDropped: 0,
      bytes: Number(row['bytes']),
      lateReports: Number(row['late_reports']),
      hostPages: null,
      lastHostRequestAt: 0,
    }
    this.#loadQueues(crawl)
    this.#crawls.set(uuid, crawl)
    return crawl
  }

  /** Forces a reload on next use, after its rows were changed directly. Nothing of it may be in flight. */
  unload(crawl: ActiveCrawl): void {
    this.#crawls.delete(crawl.uuid)
  }

  /** Reads the index of open URLs once: about 0.1 s per million. */
  #loadQueues(crawl: ActiveCrawl): void {
    for (const row of this.#queues.iterate(crawl.rowId)) {
      const host = this.#hosts.byId(Number(row['host']))
      if (host === undefined) continue
      const queue = crawl.schedule.queueOf(host)
      queue.claimable = Number(row['claimable'])
      queue.delayed = Number(row['delayed'])
      queue.rank = Number(row['rank'])
      queue.nextDelayedAt = row['next_delayed_at'] === null ? Number.POSITIVE_INFINITY : Number(row['next_delayed_at'])
      this.#hosts.delayAfterRestart(host, crawl.settings)
      crawl.schedule.reschedule(queue, 0)
    }
  }
}
