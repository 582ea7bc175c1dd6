// Writes what visits and signals say about the next visit of a URL, in the commit that reports them. Only for crawls with
// --recrawl. `openRevisits` and `knownPages` of the crawl count its rows.

import type { DatabaseSync } from 'node:sqlite'
import { hostIncrement, type KnownHost, priorOf } from '../../../../frontier/host-freshness.ts'
import { announcesChange } from '../../../../frontier/recrawl/signals.ts'
import { addSignal, addVisit, isObservation, type RevisitHistory } from '../../../../frontier/revisit-history.ts'
import { type PlanContext, planRevisit } from '../../../../frontier/revisit-plan.ts'
import type { CrawlSettings } from '../../../../ports/crawls.ts'
import type { FoundListing, SitemapListing, UrlKind, VisitReport } from '../../../../ports/visits.ts'
import {
  HISTORY_COLUMNS,
  historyValues,
  isKnownPage,
  type RevisitedUrl,
  toEndedVisit,
  toHistory,
  toSitemapListing,
} from '../../revisit-row.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'
import { type Hosts, settingsAt } from '../hosts.ts'
import type { HostRates } from './host-rates.ts'

type Row = Record<string, unknown>

interface UrlToPlan {
  id: number
  hostId: number
  /** Current kind, which the visit may not know yet. */
  kind: UrlKind
}

export interface PlannedHistory {
  history: RevisitHistory
  /** Null if the URL had no history. */
  before: RevisitHistory | null
  /** The URL was queued for a revisit, or in flight. */
  isOpen: boolean
  /** The time of its last visit. */
  from: number
  known: KnownHost
}

export interface RecordedVisit {
  /** Null if the URL had no history. */
  before: RevisitHistory | null
  after: RevisitHistory
}

export class RevisitRecorder {
  readonly #rates: HostRates
  readonly #hosts: Pick<Hosts, 'byId'>
  readonly #find
  readonly #findListing
  readonly #save
  readonly #saveSignals
  readonly #markQueued
  readonly #forget
  readonly #budget

  constructor(db: DatabaseSync, hosts: Pick<Hosts, 'byId'>, rates: HostRates) {
    this.#hosts = hosts
    this.#rates = rates
    const columns = ['url_id', 'crawl', 'due_at', ...HISTORY_COLUMNS]
    this.#find = db.prepare('select * from revisits where url_id = ?')
    this.#findListing = db.prepare('select lastmod, changefreq, priority from listings where url_id = ?')
    this.#save = db.prepare(
      `insert into revisits (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
       on conflict (url_id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    )
    this.#saveSignals = db.prepare(
      'update revisits set sitemap_signal = ?, feed_signal = ?, due_at = min(due_at, ?) where url_id = ?',
    )
    this.#markQueued = db.prepare(
      'update revisits set due_at = null, attempts = ? where url_id = ? and due_at is not null',
    )
    this.#forget = db.prepare('delete from revisits where url_id = ?')
    this.#budget = db.prepare('select threshold, round_ms from recrawls where crawl = ?')
  }

  listingOf(urlId: number): SitemapListing {
    return toSitemapListing(this.#findListing.get(urlId))
  }

  hasHistory(urlId: number): boolean {
    return this.#find.get(urlId) !== undefined
  }

  /** Records a visit. Null if the outcome is not final. */
  record(
    crawl: ActiveCrawl,
    url: Omit<RevisitedUrl, 'listing'> & UrlToPlan & { leasedKind: UrlKind },
    visit: VisitReport,
    now: number,
  ): RecordedVisit | null {
    const end = toEndedVisit(visit, { ...url, kind: url.leasedKind, listing: this.listingOf(url.id) })
    if (end === null) return null
    const row = this.#find.get(url.id)
    const before = row === undefined ? null : toHistory(row)
    const groupBefore = before?.rateGroup ?? end.rateGroup
    const known = this.knownHost(crawl, url.hostId, groupBefore)
    const prior = priorOf(known, groupBefore)
    const { signals } = known.host
    const after = addVisit(before, end, { settings: crawl.settings, now, prior, signals })
    const gain = hostIncrement(before, end, { after, prior, host: known.host })
    const { rateGroup } = after
    const learned =
      gain === null
        ? this.knownHost(crawl, url.hostId, rateGroup)
        : this.#rates.add(crawl, url.hostId, { gain, rateGroup })
    this.plan(crawl, url, { history: after, before, isOpen: isOpen(row), from: now, known: learned })
    return { before, after }
  }

  /** Saves the history and the time of the next visit. */
  plan(
    crawl: ActiveCrawl,
    { id, hostId, kind }: UrlToPlan,
    { history, before, isOpen: wasOpen, from, known }: PlannedHistory,
  ): void {
    const dueAt = this.#dueAt(crawl, hostId, { history, from, known })
    this.#save.run(id, crawl.rowId, dueAt, ...historyValues({ ...history, intervalMs: dueAt - from }))
    if (wasOpen) crawl.openRevisits -= 1
    if (isKnownPage(before, kind)) crawl.knownPages -= 1
    if (isKnownPage(history, kind)) crawl.knownPages += 1
  }

  dueAt(crawl: ActiveCrawl, hostId: number, history: RevisitHistory, from: number): number {
    const known = this.knownHost(crawl, hostId, history.rateGroup)
    return this.#dueAt(crawl, hostId, { history, from, known })
  }

  #dueAt(
    crawl: ActiveCrawl,
    hostId: number,
    { history, from, known }: { history: RevisitHistory; from: number; known: KnownHost },
  ): number {
    return planRevisit(history, this.#settingsAt(crawl, hostId), this.#contextOf(crawl, history, known), from)
  }

  knownHost(crawl: ActiveCrawl, hostId: number, rateGroup: string): KnownHost {
    return this.#rates.read(crawl, hostId, rateGroup)
  }

  /** Records that a sitemap or a feed lists the URL. `before` is what the sitemap said until now. */
  recordSignal(
    crawl: ActiveCrawl,
    { id, hostId }: { id: number; hostId: number },
    { listing, before, now }: { listing: FoundListing; before: SitemapListing; now: number },
  ): void {
    const { lastmod, source } = listing
    if (lastmod === null) return
    const row = this.#find.get(id)
    if (row === undefined) return
    const history = toHistory(row)
    const isChange = announcesChange(lastmod, { before: before.lastmod, visitedAt: history.visitedAt, now })
    const after = addSignal(history, source, { isChange, now })
    if (after === history) return
    // After a failed visit, the next one is planned from that.
    const isPlanned = isChange && row['due_at'] !== null && isObservation(history)
    const dueAt = isPlanned ? this.dueAt(crawl, hostId, after, history.visitedAt) : Number(row['due_at'])
    this.#saveSignals.run(after.signals.sitemap, after.signals.feed, dueAt, id)
  }

  /** The URL is queued. False if it has no history, or was queued before. */
  markQueued(crawl: ActiveCrawl, { id, attempts }: { id: number; attempts: number }): boolean {
    const isMarked = this.#markQueued.run(attempts, id).changes === 1
    if (isMarked) crawl.openRevisits += 1
    return isMarked
  }

  /** A page is read as a sitemap from now on. If it was visited, it is queued for that. */
  becomeSitemap(crawl: ActiveCrawl, url: { id: number; attempts: number; isQueued: boolean }): void {
    const row = this.#find.get(url.id)
    if (row === undefined) return
    if (isKnownPage(toHistory(row), 'page')) crawl.knownPages -= 1
    if (url.isQueued) this.markQueued(crawl, url)
  }

  /** A requisite is read as a page from now on. If it is visited for that, its history is forgotten. */
  becomePage(crawl: ActiveCrawl, { id, isQueued }: { id: number; isQueued: boolean }): void {
    if (isQueued) return this.forget(crawl, id, 'requisite')
    const row = this.#find.get(id)
    if (row !== undefined && isKnownPage(toHistory(row), 'page')) crawl.knownPages += 1
  }

  /** Forgets the history of a requisite that is now visited as a page: its content was not read, so equal content is news. */
  forget(crawl: ActiveCrawl, id: number, countedAs: UrlKind): void {
    const row = this.#find.get(id)
    if (row === undefined) return
    if (row['due_at'] === null) crawl.openRevisits -= 1
    if (isKnownPage(toHistory(row), countedAs)) crawl.knownPages -= 1
    this.#forget.run(id)
  }

  /** The settings of the crawl, with the bounds of the host's policy. */
  #settingsAt({ settings }: ActiveCrawl, hostId: number): CrawlSettings {
    const host = this.#hosts.byId(hostId)
    return host === undefined ? settings : settingsAt(settings, host)
  }

  #contextOf(crawl: ActiveCrawl, { rateGroup }: RevisitHistory, known: KnownHost): PlanContext {
    const budget = this.#budget.get(crawl.rowId)
    return {
      threshold: budget?.['threshold'] == null ? null : Number(budget['threshold']),
      roundMs: budget?.['round_ms'] == null ? null : Number(budget['round_ms']),
      prior: priorOf(known, rateGroup),
      signals: known.host.signals,
    }
  }
}

function isOpen(row: Row | undefined): boolean {
  return row !== undefined && row['due_at'] === null
}
