// Adds discovered URLs to the ledger, once each (G1), and keeps every depth the length of the shortest path: when a
// shorter path to a known URL appears, its depth and the depths behind it are lowered. The result does not depend on
// the order of fetches (G7), and a depth limit is exact.

import type { DatabaseSync } from 'node:sqlite'
import { isBeyondLimits, MAX_SITEMAPS } from '../../../../frontier/limits.ts'
import { rankAtDepth, rankOf } from '../../../../frontier/rank.ts'
import { childLength, isShorterPath, type PathLength } from '../../../../frontier/shortest-path.ts'
import { isRecrawled } from '../../../../ports/revisits.ts'
import { type FoundListing, type FoundUrl, MAX_REDIRECTS, REDIRECT_LOOP, URL_KINDS } from '../../../../ports/visits.ts'
import { decodeFoundUrls, encodeFoundUrls } from '../../../encoding/found-urls.ts'
import { decodeLinkKeys } from '../../../encoding/link-keys.ts'
import {
  BLOCKED_HOST,
  QUEUED,
  REQUISITE_KIND,
  stateCode,
  TOO_DEEP,
  TRAP_REASON,
} from '../../../encoding/state-codes.ts'
import type { ActiveCrawl } from '../crawl-state/active-crawls.ts'
import type { Hosts } from '../hosts.ts'
import type { Leases } from '../leases.ts'
import type { RevisitRecorder } from '../recrawl/revisit-recorder.ts'
import { KindChanger } from './kind-changer.ts'
import { applyShorterPath, KNOWN_URL_QUERY, type KnownUrl, type ReopenedUrl, reopenUrl } from './queued-url.ts'

/** Where a URL was found: in a URL of the ledger (by a link or a redirect), or as a seed. */
export interface DiscoveryPath extends PathLength {
  parent: number | null
}

/** A URL whose path has to be propagated to its children. */
export interface PathStep extends PathLength {
  from: number
  isRedirect: boolean
}

/** Steps that are left to propagate. */
interface PendingSteps {
  steps: PathStep[]
  redirects: PathStep[]
  now: number
}

const VISITED = stateCode('visited')
const REDIRECTED = stateCode('redirected')
const EXCLUDED = stateCode('excluded')

export interface UrlDiscovererDependencies {
  hosts: Hosts
  leases: Leases
  revisitRecorder: RevisitRecorder
}

export class UrlDiscoverer {
  readonly #hosts: Hosts
  readonly #leases: Leases
  readonly #revisitRecorder: RevisitRecorder
  readonly #insert
  readonly #insertExcluded
  readonly #byKey
  readonly #shorten
  readonly #requeueTooDeep
  readonly #requeueTrapped
  readonly #setReason
  readonly #links
  readonly #saveDeferred
  readonly #takeDeferred
  readonly #saveListing
  readonly #markScriptUrl
  readonly #unmarkScriptUrl
  readonly #kindChanger: KindChanger

  constructor(db: DatabaseSync, { hosts, leases, revisitRecorder }: UrlDiscovererDependencies) {
    this.#hosts = hosts
    this.#leases = leases
    this.#revisitRecorder = revisitRecorder
    const insertion = (state: number, reason: string) => `insert into urls
      (crawl, key, host, state, reason, rank, depth, hops, parent, first_seen_at, url, kind)
      values (?, ?, ?, ${state}, ${reason}, ?, ?, ?, ?, ?, ?, ?) on conflict (crawl, key) do nothing`
    this.#insert = db.prepare(insertion(QUEUED, 'null'))
    this.#insertExcluded = db.prepare(insertion(EXCLUDED, '?'))
    this.#requeueTooDeep = db.prepare(
      `update urls set state = ${QUEUED}, reason = null where id = ? and reason = '${TOO_DEEP}' returning rank`,
    )
    this.#requeueTrapped = db.prepare(
      `update urls set state = ${QUEUED}, reason = null where crawl = ? and key = ?
       and state = ${EXCLUDED} and reason like '${TRAP_REASON}%' returning host, rank`,
    )
    this.#byKey = db.prepare(KNOWN_URL_QUERY)
    this.#shorten = db.prepare('update urls set depth = ?, hops = ?, parent = ?, rank = min(rank, ?) where id = ?')
    this.#setReason = db.prepare('update urls set reason = ? where id = ?')
    this.#links = db.prepare('select targets from links where url_id = ?')
    this.#saveDeferred = db.prepare('insert or replace into beyond (url_id, crawl, found) values (?, ?, ?)')
    this.#takeDeferred = db.prepare('delete from beyond where url_id = ? returning found')
    this.#saveListing = db.prepare(
      `insert or replace into listings (url_id, lastmod, changefreq, priority)
       select id, ?, ?, ? from urls where crawl = ? and key = ?`,
    )
    this.#markScriptUrl = db.prepare('insert or ignore into script_urls (url_id) values (?)')
    this.#unmarkScriptUrl = db.prepare('delete from script_urls where url_id = ?')
    this.#kindChanger = new KindChanger(db, { hosts, leases, revisitRecorder })
  }

  /** Adds a URL to be visited. True if it is new to the crawl. */
  add(crawl: ActiveCrawl, found: FoundUrl, path: DiscoveryPath, now: number): boolean {
    // Done first, so that a page that is named as a sitemap is queued as a sitemap.
    this.#requeueExcluded(crawl, found, now)
    return this.addWithoutRequeue(crawl, found, path, now)
  }

  /**
   * Like `add`, for a link that has been found only on pages of a possible trap so far. If its URL is excluded, it
   * stays excluded.
   */
  addWithoutRequeue(crawl: ActiveCrawl, found: FoundUrl, path: DiscoveryPath, now: number): boolean {
    const isNew = this.#insertNew(crawl, found, path, now)
    if (crawl.settings.scriptUrls) this.#recordSource(crawl, found, isNew)
    if (found.listing !== null) this.#recordListing(crawl, found.key, found.listing, now)
    if (isNew) return true
    // The path of a requisite says nothing about the depth of a page, and all requisites have the same depth.
    if (found.kind === 'requisite') {
      this.#kindChanger.load(crawl, found.key, now)
      return false
    }
    if (found.kind === 'sitemap') {
      this.#kindChanger.toSitemap(crawl, found, path, now)
      return false
    }
    const pendingSteps: PendingSteps = { steps: [], redirects: [], now }
    this.#applyLink(crawl, found, path, pendingSteps)
    for (const pathStep of [...pendingSteps.redirects, ...pendingSteps.steps]) this.propagatePath(crawl, pathStep, now)
    return false
  }

  #insertNew(crawl: ActiveCrawl, found: FoundUrl, path: DiscoveryPath, now: number): boolean {
    if (found.kind === 'sitemap' && crawl.sitemapsFound >= MAX_SITEMAPS) {
      crawl.sitemapsDropped += 1
      return false
    }
    const host = this.#hosts.byName(found.host)
    const rank = rankOf(found, path.depth, now)
    const { parent, depth, hops } = path
    const kind = URL_KINDS.indexOf(found.kind)
    if (crawl.blockedHosts.has(host.id)) {
      if (!this.addExcluded(crawl, found, path, { reason: BLOCKED_HOST, now })) return false
      if (found.kind === 'sitemap') crawl.sitemapsFound += 1
      return true
    }
    const result = this.#insert.run(crawl.rowId, found.key, host.id, rank, depth, hops, parent, now, found.url, kind)
    if (result.changes === 0) return false
    if (found.kind === 'sitemap') crawl.sitemapsFound += 1
    crawl.openCount += 1
    const queue = crawl.schedule.queueOf(host)
    queue.addNew(rank)
    crawl.schedule.reschedule(queue, now)
    return true
  }

  /** A link counts more than the name in a script, whichever came first. A requisite is neither. */
  #recordSource(crawl: ActiveCrawl, { key, kind, isFromScript }: FoundUrl, isNew: boolean): void {
    if (kind === 'requisite' || (isNew && isFromScript !== true)) return
    const known = this.#byKey.get(crawl.rowId, key) as KnownUrl | undefined
    if (known === undefined) return
    if (isFromScript !== true) this.#unmarkScriptUrl.run(known.id)
    else if (isNew || known.kind === REQUISITE_KIND) this.#markScriptUrl.run(known.id)
  }

  /** Adds a URL that is not visited. True if it is new to the crawl. */
  addExcluded(
    crawl: ActiveCrawl,
    found: FoundUrl,
    path: DiscoveryPath,
    { reason, now }: { reason: string; now: number },
  ): boolean {
    const host = this.#hosts.byName(found.host)
    const rank = rankOf(found, path.depth, now)
    const { parent, depth, hops } = path
    const kind = URL_KINDS.indexOf(found.kind)
    const columns = [host.id, reason, rank, depth, hops, parent, now] as const
    if (this.#insertExcluded.run(crawl.rowId, found.key, ...columns, found.url, kind).changes === 0) return false
    crawl.endedCounts.excluded += 1
    return true
  }

  /** Counts a finished URL as queued again. Its row is updated already. With a `dueAt` it is queued as a retry. */
  reopen(crawl: ActiveCrawl, url: ReopenedUrl, now: number): void {
    reopenUrl(this.#hosts, crawl, url, now)
  }

  /** With --recrawl, a later time of change may make the URL due. */
  #recordListing(crawl: ActiveCrawl, key: bigint, listing: FoundListing, now: number): void {
    const { lastmod, changefreq, priority, source } = listing
    if (!isRecrawled(crawl.settings)) {
      if (source === 'sitemap') this.#saveListing.run(lastmod, changefreq, priority, crawl.rowId, key)
      return
    }
    const known = this.#byKey.get(crawl.rowId, key) as KnownUrl | undefined
    if (known === undefined) return
    const before = this.#revisitRecorder.listingOf(known.id)
    this.#revisitRecorder.recordSignal(crawl, { id: known.id, hostId: known.host }, { listing, before, now })
    const isNew = before.lastmod !== lastmod || before.changefreq !== changefreq || before.priority !== priority
    if (source === 'sitemap' && isNew) this.#saveListing.run(lastmod, changefreq, priority, crawl.rowId, key)
  }

  /** Stores URLs beyond a limit, in case their parent turns out to be closer to a seed. */
  saveDeferred(crawl: ActiveCrawl, urlId: number, found: FoundUrl[]): void {
    if (found.length === 0) return
    this.#saveDeferred.run(urlId, crawl.rowId, encodeFoundUrls(found))
  }

  /**
   * Lowers the depths of all URLs that this URL brings closer to a seed, breadth first, so that no URL changes
   * twice: redirects, which add no depth, before links.
   */
  propagatePath(crawl: ActiveCrawl, pathStep: PathStep, now: number): void {
    const steps: PathStep[] = [pathStep]
    const redirects: PathStep[] = []
    for (let at = 0; at < steps.length || redirects.length > 0; ) {
      const next = redirects.pop() ?? steps[at++]
      if (next !== undefined) this.#propagateFrom(crawl, next, { steps, redirects, now })
    }
  }

  #propagateFrom(crawl: ActiveCrawl, pathStep: PathStep, pendingSteps: PendingSteps): void {
    const path = toDiscoveryPath(pathStep)
    if (isBeyondLimits(crawl.settings, path)) return
    const beyond = this.#takeDeferred.get(pathStep.from)
    if (beyond !== undefined) {
      if (pathStep.isRedirect) this.#setReason.run(null, pathStep.from)
      for (const found of decodeFoundUrls(String(beyond['found']))) {
        const isNew = this.#insertNew(crawl, found, path, pendingSteps.now)
        if (crawl.settings.scriptUrls) this.#recordSource(crawl, found, isNew)
        if (isNew) continue
        this.#applyLink(crawl, found, path, pendingSteps)
        this.#requeueExcluded(crawl, found, pendingSteps.now)
      }
      if (pathStep.isRedirect) this.markRedirectLoop(crawl, pathStep.from)
      return
    }
    const targets = this.#links.get(pathStep.from)?.['targets']
    for (const key of decodeLinkKeys(targets)) this.#applyPath(crawl, key, path, pendingSteps)
  }

  /**
   * Called when a URL has redirected. The last URL of a loop to redirect finds the loop closed and marks all of it.
   */
  markRedirectLoop(crawl: ActiveCrawl, urlId: number): void {
    const loop = [urlId]
    for (let at = urlId; loop.length <= MAX_REDIRECTS; loop.push(at)) {
      const [key] = decodeLinkKeys(this.#links.get(at)?.['targets'])
      const next = key === undefined ? undefined : (this.#byKey.get(crawl.rowId, key) as KnownUrl | undefined)
      if (next === undefined || next.state !== REDIRECTED) return
      if (next.id === urlId) {
        for (const id of loop) this.#setReason.run(REDIRECT_LOOP, id)
        return
      }
      at = next.id
    }
  }

  /** The path of a link to a known URL. */
  #applyLink(crawl: ActiveCrawl, found: FoundUrl, path: DiscoveryPath, pendingSteps: PendingSteps): void {
    const known = this.#byKey.get(crawl.rowId, found.key) as KnownUrl | undefined
    if (known?.kind === REQUISITE_KIND) this.#kindChanger.toPage(crawl, found, { known, path }, pendingSteps.now)
    else if (known !== undefined) this.#applyPathTo(crawl, known, path, pendingSteps)
  }

  #applyPath(crawl: ActiveCrawl, key: bigint, path: DiscoveryPath, pendingSteps: PendingSteps): void {
    const known = this.#byKey.get(crawl.rowId, key) as KnownUrl | undefined
    if (known !== undefined) this.#applyPathTo(crawl, known, path, pendingSteps)
  }

  /** Takes the path if it is shorter, and adds a step for the URLs behind. No path of a link is shorter than a requisite's. */
  #applyPathTo(crawl: ActiveCrawl, known: KnownUrl, path: DiscoveryPath, pendingSteps: PendingSteps): void {
    if (!isShorterPath(path, known)) return
    const rank = rankAtDepth(path.depth)
    this.#shorten.run(path.depth, path.hops, path.parent, rank, known.id)
    if (known.state === QUEUED) applyShorterPath(this.#leases, crawl, known, { ...path, rank })
    if (known.state === EXCLUDED && isBeyondLimits(crawl.settings, known)) this.#admit(crawl, known, pendingSteps.now)
    const step = {
      from: known.id,
      depth: path.depth,
      hops: path.hops,
      isRedirect: known.state === REDIRECTED,
    }
    if (known.state === REDIRECTED) pendingSteps.redirects.push(step)
    // A URL that is queued for a revisit has links already.
    const hasLinks = known.state === VISITED || (known.state === QUEUED && isRecrawled(crawl.settings))
    if (hasLinks && path.depth < known.depth) pendingSteps.steps.push(step)
  }

  /** The URL was beyond the depth limit and no longer is. */
  #admit(crawl: ActiveCrawl, { id, host }: KnownUrl, now: number): void {
    const row = this.#requeueTooDeep.get(id)
    if (row !== undefined) this.reopen(crawl, { host, rank: Number(row['rank']), was: 'excluded' }, now)
  }

  /** Requeues a URL that was excluded with a trap: a page outside it has the link, too. */
  #requeueExcluded(crawl: ActiveCrawl, { key, kind }: FoundUrl, now: number): void {
    if (kind === 'requisite' || crawl.endedCounts.excluded === 0) return
    const row = this.#requeueTrapped.get(crawl.rowId, key)
    if (row !== undefined)
      this.reopen(crawl, { host: Number(row['host']), rank: Number(row['rank']), was: 'excluded' }, now)
  }
}

/** The path through a URL to its children. */
export function toDiscoveryPath(pathStep: PathStep): DiscoveryPath {
  return { parent: pathStep.from, ...childLength(pathStep, pathStep.isRedirect) }
}
