// Writes what became of one visit: the attempt, the state of its url, its links and what they lead to.

import type { DatabaseSync } from 'node:sqlite'
import type { VisitReport } from '../../ports/frontier.ts'
import { QUEUED, RETRIED, stateCode } from '../rows/codes.ts'
import type { ActiveCrawl } from './active-crawl.ts'
import type { SqliteContents } from './contents.ts'
import { type Discover, isTooFar } from './discover.ts'
import type { HeldLinks } from './held-links.ts'
import type { HeldUrl } from './leases.ts'

const DAY_MS = 86_400_000

export interface Settled {
  crawl: ActiveCrawl
  hostId: number
  url: HeldUrl
  visit: VisitReport
  linkKeys: Uint8Array
  now: number
}

export interface SettleParts {
  discover: Discover
  contents: SqliteContents
  heldLinks: HeldLinks
}

export class Settle {
  readonly #discover: Discover
  readonly #contents: SqliteContents
  readonly #heldLinks: HeldLinks
  readonly #insertVisit
  readonly #insertLinks
  readonly #finish
  readonly #requeue
  readonly #setReason
  readonly #requeueVisited

  constructor(db: DatabaseSync, { discover, contents, heldLinks }: SettleParts) {
    this.#discover = discover
    this.#contents = contents
    this.#heldLinks = heldLinks
    this.#insertVisit = db.prepare(
      `insert into visits (url_id, attempt, state, reason, http_status, content_length, fetch_ms, visited_at,
         content_hash, content_type, ip, title, redirect_to, canonical, noindex, cname)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#insertLinks = db.prepare('insert or replace into links (url_id, targets) values (?, ?)')
    this.#finish = db.prepare('update urls set state = ?, attempts = ?, due_at = 0, reason = ? where id = ?')
    this.#setReason = db.prepare('update urls set reason = ? where id = ?')
    this.#requeueVisited = db.prepare(`update urls set state = ${QUEUED} where id = ?`)
    this.#requeue = db.prepare('update urls set due_at = ?, attempts = ? where id = ?')
  }

  /** Answers how many urls the visit added. */
  visit(settled: Settled): number {
    const { crawl, hostId, url, visit, now } = settled
    const { verdict, facts } = visit
    const attempts = url.attempts + (facts === null ? 0 : 1)
    if (facts !== null) {
      const code = verdict.state === 'retry' ? RETRIED : stateCode(verdict.state)
      this.#insertVisit.run(
        url.id,
        attempts,
        code,
        verdict.reason,
        facts.httpStatus,
        facts.contentLength,
        facts.fetchMs,
        facts.visitedAt,
        facts.contentHash === null ? null : Buffer.from(facts.contentHash, 'hex'),
        facts.contentType,
        facts.ip,
        facts.title,
        facts.redirectTo,
        facts.canonical,
        facts.noindex ? 1 : 0,
        facts.cname,
      )
    }
    if (visit.page !== null && facts !== null) {
      const { visitedAt, contentHash } = facts
      const { keepDays } = crawl.settings
      const expiresAt = keepDays === null ? null : visitedAt + keepDays * DAY_MS
      const about = { urlId: url.id, url: url.url, attempt: attempts, visitedAt, contentHash, expiresAt }
      this.#contents.add(about, visit.page)
    }
    const queue = crawl.schedule.queues.get(hostId)
    if (queue !== undefined) queue.held -= 1
    if (verdict.state === 'retry') {
      this.#requeue.run(verdict.dueAt, attempts, url.id)
      if (queue !== undefined) {
        queue.free += 1
        queue.waiting += 1
        queue.waitingAt = Math.min(queue.waitingAt, verdict.dueAt)
        crawl.schedule.place(queue, now)
      }
      return 0
    }
    this.#finish.run(stateCode(verdict.state), attempts, verdict.reason, url.id)
    crawl.open -= 1
    crawl.ended[verdict.state] += 1
    const isVisited = verdict.state === 'visited'
    if (isVisited && url.leasedKind === 'sitemap') crawl.sitemaps += 1
    const isRedirect = verdict.state === 'redirected'
    const added = this.#followLinks(settled, isRedirect)
    if (isRedirect) this.#discover.markLoop(crawl, url.id)
    if (url.trial !== null) this.#heldLinks.recordTrial(crawl, url.trial, visit, added)
    if (visit.traps !== null) this.#heldLinks.record(crawl, url.id, hostId, visit.traps)
    if (isVisited && url.kind !== url.leasedKind) this.#readAgain(settled)
    return added
  }

  /** It was read as a page and has turned out to be a sitemap meanwhile. */
  #readAgain({ crawl, hostId, url, now }: Settled): void {
    this.#requeueVisited.run(url.id)
    this.#discover.reopen(crawl, { host: hostId, rank: 1, was: 'visited' }, now)
  }

  #followLinks({ crawl, url, visit, linkKeys, now }: Settled, isRedirect: boolean): number {
    const discover = this.#discover
    if (linkKeys.length > 0) this.#insertLinks.run(url.id, linkKeys)
    const way = {
      parent: url.id,
      depth: url.depth + (isRedirect ? 0 : 1),
      hops: isRedirect ? url.hops + 1 : 0,
    }
    if (isTooFar(crawl, way)) {
      if (isRedirect) this.#setReason.run('too_many_redirects', url.id)
      discover.keepBeyond(crawl, url.id, visit.found)
      return 0
    }
    // A sitemap listed by another is no further away, only one hop more; this ends a ring of them.
    const nested = { parent: url.id, depth: url.depth, hops: url.hops + 1 }
    let added = 0
    for (const found of visit.found) {
      const isNested = url.kind === 'sitemap' && found.kind === 'sitemap'
      const hops = found.isRefresh ? url.hops + 1 : 0
      if (discover.add(crawl, found, isNested ? nested : { ...way, hops: way.hops + hops }, now)) added += 1
    }
    // The worker left out links it had reported at the depth it knew; the url has come nearer since.
    if (url.depth < url.leasedDepth || isRedirect) {
      discover.offerChildren(crawl, { from: url.id, depth: url.depth, hops: url.hops, isRedirect }, now)
    }
    return added
  }
}
