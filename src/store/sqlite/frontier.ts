// The frontier on SQLite, called by one thread only. Rows say what is open and what has ended; leases and the
// order of hosts live in memory (leases.ts, schedule.ts) and are rebuilt from the rows when the file is opened.

import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type {
  CommitBatch,
  CommitResult,
  Frontier,
  LeaseGrant,
  LeaseRequest,
  VisitReport,
} from '../../ports/frontier.ts'
import { latestReports } from '../rows/latest-reports.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import type { CloseSome } from './close-some.ts'
import type { DeepenSome } from './deepen.ts'
import type { Discover } from './discover.ts'
import type { ExcludeQueued } from './exclude-queued.ts'
import type { Grants } from './grants.ts'
import type { HeldLinks } from './held-links.ts'
import type { Hosts } from './hosts.ts'
import type { HeldLease, Leases } from './leases.ts'
import type { Patterns } from './patterns.ts'
import type { Settle } from './settle.ts'
import type { Transactions } from './transaction.ts'

export interface FrontierParts {
  clock: Clock
  transactions: Transactions
  crawls: ActiveCrawls
  hosts: Hosts
  leases: Leases
  grants: Grants
  settle: Settle
  patterns: Patterns
  discover: Discover
  closeSome: CloseSome
  deepenSome: DeepenSome
  exclude: ExcludeQueued
  heldLinks: HeldLinks
}

export class SqliteFrontier implements Frontier {
  readonly #parts: FrontierParts
  readonly #waiters = new Set<() => void>()
  #heard = 0

  constructor(parts: FrontierParts) {
    this.#parts = parts
  }

  async lease(request: LeaseRequest): Promise<LeaseGrant> {
    const { crawls, clock, leases } = this.#parts
    const now = clock.now()
    this.takeBackExpired(now)
    const crawl = crawls.get(request.crawlId)
    this.#parts.exclude.blocked(crawl, now)
    const inFlight = leases.inFlight(crawl.rowId)
    // It may have all its pages and been given urls again.
    if (crawl.status === 'running') closeIfFull(crawl)
    const closing = crawl.closing !== null
    this.#judgeHeld(crawl, now)
    const news = { ...this.#parts.patterns.since(crawl, request.patternsVersion), heard: this.#heard }
    if (crawl.status !== 'running') return { leases: [], status: crawl.status, closing, nextDueAt: null, ...news }
    if (closing) {
      if (inFlight === 0) this.#closeSome(crawl, now)
      return { leases: [], status: crawl.status, closing, nextDueAt: inFlight === 0 ? now : null, ...news }
    }
    if (crawl.deepenedTo !== null) this.#parts.deepenSome(crawl, now)
    const allowance = this.#allowance(crawl, inFlight)
    const { granted, nextDueAt } = this.#parts.grants.grant(crawl, request, allowance, now)
    return { leases: granted, status: crawl.status, closing, nextDueAt, ...news }
  }

  async commit(batch: CommitBatch): Promise<CommitResult> {
    const { crawls, clock, transactions } = this.#parts
    const now = clock.now()
    this.takeBackExpired(now)
    const crawl = crawls.get(batch.crawlId)
    const late = batch.visits.filter((visit) => !this.#isHeld(crawl, visit)).length
    let added = 0
    transactions.run(() => {
      for (const report of latestReports(batch.hosts)) this.#parts.hosts.record(report)
      if (late === 0) added = this.#apply(crawl, batch, now)
      crawl.lateReports += late
      crawls.save(crawl, now)
    })
    if (late > 0) {
      const held = this.#parts.leases.heldBy(batch.workerId).filter((lease) => lease.crawl === crawl.rowId)
      for (const lease of held) lease.isFenced = true
    }
    for (const token of batch.release) {
      this.#parts.grants.keep(crawl, batch.workerId, token, now)
      this.#parts.grants.handBack(token, now)
    }
    this.#parts.exclude.blocked(crawl, now)
    this.wake()
    return { status: crawl.status, closing: crawl.closing !== null, late, added }
  }

  #isHeld(crawl: ActiveCrawl, visit: VisitReport): boolean {
    const lease = this.#parts.leases.get(visit.token)
    return lease !== undefined && !lease.isFenced && lease.crawl === crawl.rowId && lease.urls.has(visit.urlId)
  }

  #apply(crawl: ActiveCrawl, batch: CommitBatch, now: number): number {
    const { crawls, leases } = this.#parts
    let added = 0
    let keysAt = 0
    for (const found of batch.found) {
      if (this.#parts.discover.add(crawl, found, { parent: null, depth: 0, hops: 0 }, now)) added += 1
    }
    for (const visit of batch.visits) {
      const linkKeys = batch.linkKeys.subarray(keysAt, keysAt + visit.links * 8)
      keysAt += visit.links * 8
      const hostId = leases.get(visit.token)?.hostId
      const url = leases.settle(visit.token, visit.urlId)
      // A batch that names a url twice is broken; refusing it is all that is left, for part of it is applied.
      if (hostId === undefined || url === undefined) throw new AppError('INTERNAL', `url ${visit.urlId} reported twice`)
      added += this.#parts.settle.visit({ crawl, hostId, url, visit, linkKeys, now })
    }
    crawls.countRejected(crawl, batch.rejected, batch.samples)
    crawl.bytes += batch.bytes
    closeIfFull(crawl)
    return added
  }

  async renew(tokens: number[]): Promise<number[]> {
    const now = this.#parts.clock.now()
    this.takeBackExpired(now)
    return tokens.filter((token) => !this.#parts.leases.renew(token, now))
  }

  waitForWork(timeoutMs: number, heard: number): Promise<void> {
    if (heard !== this.#heard) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        cancel()
        this.#waiters.delete(finish)
        resolve()
      }
      const cancel = this.#parts.clock.after(timeoutMs, finish)
      this.#waiters.add(finish)
    })
  }

  /** The end of what is open decides about what was held back. */
  #judgeHeld(crawl: ActiveCrawl, now: number): void {
    const isAtEnd = crawl.status === 'running' && crawl.closing === null && crawl.open === 0
    if (!isAtEnd || !crawl.hasHeld || crawl.deepenedTo !== null) return
    this.#parts.heldLinks.judge(crawl, now)
    this.wake()
  }

  /** max_pages is exact: never more urls in flight than pages still wanted. */
  #allowance(crawl: ActiveCrawl, inFlight: number): number {
    const { maxPages } = crawl.settings
    return maxPages === null ? Number.POSITIVE_INFINITY : Math.max(0, maxPages - pagesOf(crawl) - inFlight)
  }

  /** Over the running crawls that are being worked on. */
  countDueHosts(): number {
    const { crawls, clock } = this.#parts
    let due = 0
    for (const crawl of crawls.all()) if (crawl.status === 'running') due += crawl.schedule.countDue(clock.now())
    return due
  }

  /** Gives back what the threads of a process hold. */
  takeBackFrom(process: string): void {
    const { leases, grants, clock } = this.#parts
    for (const lease of leases.ofProcess(process)) grants.handBack(lease.token, clock.now())
    this.wake()
  }

  async takeBack(crawlId: string, workerId: string): Promise<void> {
    const { crawls, leases, clock } = this.#parts
    const { rowId } = crawls.get(crawlId)
    const held = leases.heldBy(workerId).filter(({ crawl }) => crawl === rowId)
    this.#takeBackLost(held, clock.now())
    this.wake()
  }

  takeBackExpired(now: number): void {
    this.#takeBackLost(this.#parts.leases.expired(now), now)
  }

  /**
   * Gives back what the threads of a lost process hold and have not renewed since; answers how many urls. A thread that
   * renews is at work, though the beats of its process do not come.
   */
  takeBackSilent(process: string, since: number): number {
    const now = this.#parts.clock.now()
    const silent = this.#parts.leases.ofProcess(process).filter(({ renewedAt }) => renewedAt <= since)
    const urls = silent.reduce((sum, lease) => sum + lease.urls.size, 0)
    this.#takeBackLost(silent, now)
    if (silent.length > 0) this.wake()
    return urls
  }

  /** Somebody may have asked the host and never told: it waits a gap from now (G5). */
  #takeBackLost(lost: HeldLease[], now: number): void {
    const { hosts, crawls, grants } = this.#parts
    for (const { token, hostId, crawl } of lost) {
      const host = hosts.byId(hostId)
      const delayMs = crawls.all().find(({ rowId }) => rowId === crawl)?.settings.delayMs ?? 0
      if (host !== undefined) hosts.holdBack(host, delayMs, now)
      grants.handBack(token, now)
    }
  }

  #closeSome(crawl: ActiveCrawl, now: number): void {
    this.#parts.closeSome(crawl, now)
    this.wake()
  }

  /** Something has changed for those who wait for work. */
  wake(): void {
    this.#heard += 1
    for (const waiter of [...this.#waiters]) waiter()
  }
}

/** A crawl that has its pages ends, once what is under way has come. */
export function closeIfFull(crawl: ActiveCrawl): void {
  const { maxPages } = crawl.settings
  const isOpen = crawl.open > 0 || crawl.hasHeld
  if (maxPages !== null && pagesOf(crawl) >= maxPages && isOpen) crawl.closing ??= 'max_pages'
}

function pagesOf(crawl: ActiveCrawl): number {
  return crawl.ended.visited - crawl.sitemaps
}
