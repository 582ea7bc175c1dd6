// Puts found urls into the ledger, once each (G1), and keeps every depth the length of the shortest way: when a
// shorter way to a known url turns up, its depth and the depths behind it are lowered, so that the result does not
// depend on who fetched what first (G7), and a depth limit is exact.

import type { DatabaseSync } from 'node:sqlite'
import { type FoundUrl, type Listing, MAX_REDIRECTS, REDIRECT_LOOP, URL_KINDS } from '../../ports/frontier.ts'
import type { TerminalState } from '../../ports/state.ts'
import { BLOCKED_HOST, QUEUED, stateCode, TOO_DEEP } from '../rows/codes.ts'
import { fromLines, toLines } from '../rows/found-urls.ts'
import { readKeys } from '../rows/link-keys.ts'
import type { ActiveCrawl } from './active-crawl.ts'
import type { Hosts } from './hosts.ts'
import type { Leases } from './leases.ts'

/** Where a url was found: on a url of the ledger (a link or a redirect), or as a seed. */
export interface Way {
  parent: number | null
  depth: number
  hops: number
}

/** A url whose children shall hear of the way through it. */
export interface Step {
  from: number
  depth: number
  hops: number
  isRedirect: boolean
}

/** Steps still to be taken. */
interface Ahead {
  steps: Step[]
  redirects: Step[]
  now: number
}

interface KnownUrl {
  id: number
  host: number
  state: number
  depth: number
  hops: number
}

const VISITED = stateCode('visited')
const REDIRECTED = stateCode('redirected')
const EXCLUDED = stateCode('excluded')
const LAST_RANK = 10
/** In one crawl; each may list 50,000 urls. */
const MAX_SITEMAPS = 10_000

export class Discover {
  readonly #hosts: Hosts
  readonly #leases: Leases
  readonly #insert
  readonly #insertExcluded
  readonly #byKey
  readonly #shorten
  readonly #comeNearer
  readonly #setReason
  readonly #links
  readonly #keepBeyond
  readonly #takeBeyond
  readonly #list
  readonly #readAsSitemap

  constructor(db: DatabaseSync, hosts: Hosts, leases: Leases) {
    this.#hosts = hosts
    this.#leases = leases
    const insertion = (state: number, reason: string) => `insert into urls
      (crawl, key, host, state, reason, rank, depth, hops, parent, first_seen_at, url, kind)
      values (?, ?, ?, ${state}, ${reason}, ?, ?, ?, ?, ?, ?, ?) on conflict (crawl, key) do nothing`
    this.#insert = db.prepare(insertion(QUEUED, 'null'))
    this.#insertExcluded = db.prepare(insertion(EXCLUDED, '?'))
    this.#comeNearer = db.prepare(
      `update urls set state = ${QUEUED}, reason = null where id = ? and reason = '${TOO_DEEP}' returning rank`,
    )
    this.#byKey = db.prepare('select id, host, state, depth, hops from urls where crawl = ? and key = ?')
    this.#shorten = db.prepare('update urls set depth = ?, hops = ?, parent = ?, rank = min(rank, ?) where id = ?')
    this.#setReason = db.prepare('update urls set reason = ? where id = ?')
    this.#links = db.prepare('select targets from links where url_id = ?')
    this.#keepBeyond = db.prepare('insert or replace into beyond (url_id, crawl, found) values (?, ?, ?)')
    this.#takeBeyond = db.prepare('delete from beyond where url_id = ? returning found')
    this.#list = db.prepare(
      `insert or replace into listings (url_id, lastmod, changefreq, priority)
       select id, ?, ?, ? from urls where crawl = ? and key = ?`,
    )
    this.#readAsSitemap = db.prepare(
      `update urls set kind = 1, state = iif(state = ${VISITED}, ${QUEUED}, state)
       where crawl = ? and key = ? and kind = 0 and state in (${QUEUED}, ${VISITED}) returning id, host, rank, attempts`,
    )
  }

  /** True when the url is new to the crawl. */
  add(crawl: ActiveCrawl, found: FoundUrl, way: Way, now: number): boolean {
    const isNew = this.#insertNew(crawl, found, way, now)
    if (found.listing !== null) this.#keepListing(crawl, found.key, found.listing)
    if (isNew) return true
    if (found.kind === 'sitemap') {
      this.#turnIntoSitemap(crawl, found.key, now)
      return false
    }
    const ahead: Ahead = { steps: [], redirects: [], now }
    this.#offer(crawl, found.key, way, ahead)
    for (const step of [...ahead.redirects, ...ahead.steps]) this.offerChildren(crawl, step, now)
    return false
  }

  #insertNew(crawl: ActiveCrawl, found: FoundUrl, way: Way, now: number): boolean {
    if (found.kind === 'sitemap' && crawl.sitemapsFound >= MAX_SITEMAPS) {
      crawl.sitemapsDropped += 1
      return false
    }
    const host = this.#hosts.byName(found.host)
    const rank = Math.min(LAST_RANK, way.depth + 1)
    const { parent, depth, hops } = way
    const kind = URL_KINDS.indexOf(found.kind)
    if (crawl.blocked.has(host.id)) {
      if (!this.addExcluded(crawl, found, way, { reason: BLOCKED_HOST, now })) return false
      if (found.kind === 'sitemap') crawl.sitemapsFound += 1
      return true
    }
    const result = this.#insert.run(crawl.rowId, found.key, host.id, rank, depth, hops, parent, now, found.url, kind)
    if (result.changes === 0) return false
    if (found.kind === 'sitemap') crawl.sitemapsFound += 1
    crawl.open += 1
    const queue = crawl.schedule.queueOf(host)
    queue.addNew(rank)
    crawl.schedule.place(queue, now)
    return true
  }

  /** Enters a url that is not visited. True when it is new to the crawl. */
  addExcluded(
    crawl: ActiveCrawl,
    found: FoundUrl,
    way: Way,
    { reason, now }: { reason: string; now: number },
  ): boolean {
    const host = this.#hosts.byName(found.host)
    const rank = Math.min(LAST_RANK, way.depth + 1)
    const { parent, depth, hops } = way
    const kind = URL_KINDS.indexOf(found.kind)
    const place = [host.id, reason, rank, depth, hops, parent, now] as const
    if (this.#insertExcluded.run(crawl.rowId, found.key, ...place, found.url, kind).changes === 0) return false
    crawl.ended.excluded += 1
    return true
  }

  /** Known as a page and now named as a sitemap: what was visited already is read again, as what it is. */
  #turnIntoSitemap(crawl: ActiveCrawl, key: bigint, now: number): void {
    const wasVisited = (this.#byKey.get(crawl.rowId, key) as KnownUrl | undefined)?.state === VISITED
    const row = this.#readAsSitemap.get(crawl.rowId, key)
    if (row === undefined) return
    crawl.sitemapsFound += 1
    const held = this.#leases.urlInFlight(Number(row['id']))
    if (held !== undefined) held.kind = 'sitemap'
    if (wasVisited) this.reopen(crawl, { host: Number(row['host']), rank: Number(row['rank']), was: 'visited' }, now)
  }

  /** A url that had ended stands in the queue again; its row says so already. */
  reopen(
    crawl: ActiveCrawl,
    { host: hostId, rank, was }: { host: number; rank: number; was: TerminalState },
    now: number,
  ): void {
    crawl.ended[was] -= 1
    crawl.open += 1
    const host = this.#hosts.byId(hostId)
    if (host === undefined) return
    const queue = crawl.schedule.queueOf(host)
    queue.free += 1
    queue.reopen(rank)
    crawl.schedule.place(queue, now)
  }

  #keepListing(crawl: ActiveCrawl, key: bigint, listing: Listing): void {
    this.#list.run(listing.lastmod, listing.changefreq, listing.priority, crawl.rowId, key)
  }

  /** Keeps aside what lies beyond a limit, for the case that its page turns out to be nearer. */
  keepBeyond(crawl: ActiveCrawl, urlId: number, found: FoundUrl[]): void {
    if (found.length === 0) return
    this.#keepBeyond.run(urlId, crawl.rowId, toLines(found))
  }

  /**
   * Offers every child of a url the way through it, and so on behind each child that takes it. In order of depth, so
   * that no url moves more than once: redirects, which cost nothing, before links.
   */
  offerChildren(crawl: ActiveCrawl, step: Step, now: number): void {
    const steps: Step[] = [step]
    const redirects: Step[] = []
    for (let at = 0; at < steps.length || redirects.length > 0; ) {
      const next = redirects.pop() ?? steps[at++]
      if (next !== undefined) this.#offerFrom(crawl, next, { steps, redirects, now })
    }
  }

  #offerFrom(crawl: ActiveCrawl, step: Step, ahead: Ahead): void {
    const way = {
      parent: step.from,
      depth: step.depth + (step.isRedirect ? 0 : 1),
      hops: step.isRedirect ? step.hops + 1 : 0,
    }
    if (isTooFar(crawl, way)) return
    const beyond = this.#takeBeyond.get(step.from)
    if (beyond !== undefined) {
      if (step.isRedirect) this.#setReason.run(null, step.from)
      for (const found of fromLines(String(beyond['found']))) {
        if (!this.#insertNew(crawl, found, way, ahead.now)) this.#offer(crawl, found.key, way, ahead)
      }
      if (step.isRedirect) this.markLoop(crawl, step.from)
      return
    }
    const targets = this.#links.get(step.from)?.['targets']
    for (const key of readKeys(targets)) this.#offer(crawl, key, way, ahead)
  }

  /** When a url has redirected: the last one of a circle finds it closed, and gives all of them the reason. */
  markLoop(crawl: ActiveCrawl, urlId: number): void {
    const circle = [urlId]
    for (let at = urlId; circle.length <= MAX_REDIRECTS; circle.push(at)) {
      const [key] = readKeys(this.#links.get(at)?.['targets'])
      const next = key === undefined ? undefined : (this.#byKey.get(crawl.rowId, key) as KnownUrl | undefined)
      if (next === undefined || next.state !== REDIRECTED) return
      if (next.id === urlId) {
        for (const id of circle) this.#setReason.run(REDIRECT_LOOP, id)
        return
      }
      at = next.id
    }
  }

  /** Takes the way if it is shorter, and leaves a step for the urls behind. */
  #offer(crawl: ActiveCrawl, key: bigint, way: Way, ahead: Ahead): void {
    const known = this.#byKey.get(crawl.rowId, key) as KnownUrl | undefined
    if (known === undefined || !isShorter(way, known)) return
    const rank = Math.min(LAST_RANK, way.depth + 1)
    this.#shorten.run(way.depth, way.hops, way.parent, rank, known.id)
    if (known.state === QUEUED) this.#moveNearer(crawl, known, way, rank)
    if (known.state === EXCLUDED && isTooFar(crawl, known)) this.#letIn(crawl, known, ahead.now)
    const step = { from: known.id, depth: way.depth, hops: way.hops, isRedirect: known.state === REDIRECTED }
    if (known.state === REDIRECTED) ahead.redirects.push(step)
    if (known.state === VISITED && way.depth < known.depth) ahead.steps.push(step)
  }

  /** It was too deep for the limit, and is no more. */
  #letIn(crawl: ActiveCrawl, { id, host }: KnownUrl, now: number): void {
    const row = this.#comeNearer.get(id)
    if (row !== undefined) this.reopen(crawl, { host, rank: Number(row['rank']), was: 'excluded' }, now)
  }

  #moveNearer(crawl: ActiveCrawl, known: KnownUrl, way: Way, rank: number): void {
    const held = this.#leases.urlInFlight(known.id)
    if (held !== undefined) {
      held.depth = way.depth
      held.hops = way.hops
    } else {
      crawl.schedule.queues.get(known.host)?.reopen(rank)
    }
  }
}

/** Fewer links first, then fewer redirects. */
function isShorter(way: Way, known: KnownUrl): boolean {
  return way.depth < known.depth || (way.depth === known.depth && way.hops < known.hops)
}

/** Beyond the depth limit, or at the end of too long a chain of redirects. */
export function isTooFar(crawl: ActiveCrawl, way: { depth: number; hops: number }): boolean {
  const { maxDepth } = crawl.settings
  return way.hops > MAX_REDIRECTS || (maxDepth !== null && way.depth > maxDepth)
}
