// Changes the kind of known URLs. A URL that was read as the old kind is requeued.

import type { DatabaseSync } from 'node:sqlite'
import { mustReadAgain, PAGE_LIMIT_REASONS_SQL } from '../../../../frontier/kind-changes.ts'
import { rankOf } from '../../../../frontier/rank.ts'
import { isRecrawled } from '../../../../ports/revisits.ts'
import type { FoundUrl } from '../../../../ports/visits.ts'
import {
  LOADED_PAGE_KIND,
  PAGE_KIND,
  PAGE_KINDS_SQL,
  QUEUED,
  REQUISITE_KIND,
  SITEMAP_KIND,
  stateCode,
  stateFromCode,
} from '../../../encoding/state-codes.ts'
import { type ActiveCrawl, countVisitedKind } from '../crawl-state/active-crawls.ts'
import type { DiscoveryPath, UrlDiscovererDependencies } from './discover.ts'
import { applyShorterPath, KNOWN_URL_QUERY, type KnownUrl, reopenUrl } from './queued-url.ts'

const VISITED = stateCode('visited')

export class KindChanger {
  readonly #dependencies: UrlDiscovererDependencies
  readonly #byKey
  readonly #load
  readonly #readAsPage
  readonly #readAsSitemap

  constructor(db: DatabaseSync, dependencies: UrlDiscovererDependencies) {
    this.#dependencies = dependencies
    this.#byKey = db.prepare(KNOWN_URL_QUERY)
    const isQueued = `state = ${QUEUED}`
    this.#load = db.prepare(
      `update urls set kind = iif(${isQueued}, ${LOADED_PAGE_KIND}, ${REQUISITE_KIND}), state = ${QUEUED},
         reason = iif(${isQueued}, reason, null), depth = iif(${isQueued}, depth, 0), hops = iif(${isQueued}, hops, 1)
       where crawl = ? and key = ? and (${isQueued} and kind = ${PAGE_KIND}
         or state = ${stateCode('excluded')} and kind in ${PAGE_KINDS_SQL} and reason in ${PAGE_LIMIT_REASONS_SQL})
       returning kind, host, rank`,
    )
    this.#readAsPage = db.prepare(
      `update urls set kind = ${LOADED_PAGE_KIND}, depth = ?, hops = ?, parent = ?, rank = ?, state = ?, reason = ? where id = ?`,
    )
    this.#readAsSitemap = db.prepare(
      `update urls set kind = ${SITEMAP_KIND}, state = iif(state = ${VISITED}, ${QUEUED}, state)
       where crawl = ? and key = ? and kind in ${PAGE_KINDS_SQL} and state in (${QUEUED}, ${VISITED}) returning id, host, rank, attempts`,
    )
  }

  /** A page loads a known page. If that is queued, this is noted; if a page limit left it out, it becomes a requisite. */
  load(crawl: ActiveCrawl, key: bigint, now: number): void {
    const row = this.#load.get(crawl.rowId, key)
    if (row?.['kind'] !== REQUISITE_KIND) return
    const [host, rank] = [Number(row['host']), Number(row['rank'])]
    reopenUrl(this.#dependencies.hosts, crawl, { host, rank, was: 'excluded' }, now)
  }

  /** A page links to a known requisite. */
  toPage(
    crawl: ActiveCrawl,
    found: FoundUrl,
    { known, path }: { known: KnownUrl; path: DiscoveryPath },
    now: number,
  ): void {
    const { hosts, leases, revisitRecorder } = this.#dependencies
    const { depth, hops, parent } = path
    const { id } = known
    const rank = rankOf({ ...found, kind: 'page' }, depth, now)
    const was = stateFromCode(known.state)
    const isOpen = was === 'queued' || was === 'in_progress'
    const isRequeued = !isOpen && mustReadAgain(was, 'requisite')
    const [state, reason] = isRequeued ? [QUEUED, null] : [known.state, known.reason]
    this.#readAsPage.run(depth, hops, parent, rank, state, reason, id)
    if (isOpen) applyShorterPath(leases, crawl, known, { depth, hops, rank })
    const inFlight = leases.urlInFlight(id)
    if (inFlight !== undefined) inFlight.kind = 'page'
    // A crawl that is no longer recrawled keeps its histories, and may be recrawled again.
    revisitRecorder.becomePage(crawl, { id, isQueued: isRequeued || was === 'queued' })
    if (isOpen || !isRequeued) return
    if (was === 'visited') countVisitedKind(crawl, 'requisite', -1)
    reopenUrl(hosts, crawl, { host: known.host, rank, was }, now)
  }

  /** A known URL is named as a sitemap. */
  toSitemap(crawl: ActiveCrawl, found: FoundUrl, path: DiscoveryPath, now: number): void {
    const { hosts, leases, revisitRecorder } = this.#dependencies
    const requisite = this.#byKey.get(crawl.rowId, found.key) as KnownUrl | undefined
    if (requisite?.kind === REQUISITE_KIND) this.toPage(crawl, found, { known: requisite, path }, now)
    const wasVisited = (this.#byKey.get(crawl.rowId, found.key) as KnownUrl | undefined)?.state === VISITED
    const row = this.#readAsSitemap.get(crawl.rowId, found.key)
    if (row === undefined) return
    crawl.sitemapsFound += 1
    const [id, attempts] = [Number(row['id']), Number(row['attempts'])]
    const inFlight = leases.urlInFlight(id)
    if (inFlight !== undefined) inFlight.kind = 'sitemap'
    const isQueued = wasVisited && isRecrawled(crawl.settings)
    revisitRecorder.becomeSitemap(crawl, { id, attempts, isQueued })
    if (wasVisited)
      reopenUrl(hosts, crawl, { host: Number(row['host']), rank: Number(row['rank']), was: 'visited' }, now)
  }
}
