// The frontier on SQLite, called by one thread only. Rows hold the state of URLs. Leases and the order of hosts are in
// memory (leases.ts, host-schedule.ts) and are rebuilt from the rows when the file is opened.

import { latestHostReports } from '../../../frontier/latest-host-reports.ts'
import { isPageLimitReached, pageAllowance } from '../../../frontier/limits.ts'
import type { Clock } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { isActive } from '../../../lib/states.ts'
import type { CommitBatch, CommitResult, Frontier } from '../../../ports/frontier.ts'
import type { LeaseGrant, LeaseRequest } from '../../../ports/leases.ts'
import type { VisitReport } from '../../../ports/visits.ts'
import type { SqlitePolicies } from '../../policies/sqlite.ts'
import type { Transactions } from '../../sqlite/transactions.ts'
import type { LeaseGranter } from './claim/grant-leases.ts'
import { type ActiveCrawl, type ActiveCrawls, countCrawlPages, readPageCounts } from './crawl-state/active-crawls.ts'
import type { CloseCrawlBatch } from './crawl-state/close-crawl.ts'
import type { QueueExclusions } from './crawl-state/exclude-queued.ts'
import type { AdmitDeferredBatch } from './discovery/admit-deferred.ts'
import type { UrlDiscoverer } from './discovery/discover.ts'
import type { HeldLinks } from './discovery/held-links.ts'
import type { Patterns } from './discovery/patterns.ts'
import type { RenderPatterns } from './discovery/render-patterns.ts'
import type { Hosts } from './hosts.ts'
import type { ActiveLease, Leases } from './leases.ts'
import type { SubresourceRecorder } from './record-subresources.ts'
import type { VisitRecorder } from './record-visits.ts'

export interface FrontierDependencies {
  clock: Clock
  transactions: Transactions
  crawls: ActiveCrawls
  hosts: Hosts
  leases: Leases
  leaseGranter: LeaseGranter
  visitRecorder: VisitRecorder
  subresourceRecorder: SubresourceRecorder
  patterns: Patterns
  renderPatterns: RenderPatterns
  urlDiscoverer: UrlDiscoverer
  closeCrawlBatch: CloseCrawlBatch
  admitDeferredBatch: AdmitDeferredBatch
  exclusions: QueueExclusions
  heldLinks: HeldLinks
  policies: Pick<SqlitePolicies, 'version'>
}

export class SqliteFrontier implements Frontier {
  readonly #dependencies: FrontierDependencies
  readonly #waiters = new Set<() => void>()
  #wakeCount = 0

  constructor(dependencies: FrontierDependencies) {
    this.#dependencies = dependencies
  }

  async lease(request: LeaseRequest): Promise<LeaseGrant> {
    const { crawls, clock, leases } = this.#dependencies
    const now = clock.now()
    this.requeueExpired(now)
    const crawl = crawls.get(request.crawlId)
    this.#dependencies.exclusions.excludeBlocked(crawl, now)
    const excludedPages = this.#dependencies.exclusions.excludeBeyondPageLimit(crawl, now)
    const inFlight = leases.countInFlight(crawl.rowId)
    // A crawl that has reached its page limit may have been given new URLs.
    if (isActive(crawl.status)) closeAtPageLimit(crawl)
    const closing = crawl.closing !== null
    this.#checkRenderPatterns(crawl, now)
    this.#judgeHeldLinks(crawl, now)
    const updates = {
      ...this.#dependencies.patterns.changesSince(crawl, request.patternsVersion),
      ...this.#dependencies.renderPatterns.changesSince(crawl, request),
      policiesVersion: this.#dependencies.policies.version,
      wakeCount: this.#wakeCount,
    }
    if (crawl.status !== 'running') return { leases: [], status: crawl.status, closing, nextDueAt: null, ...updates }
    if (closing) {
      if (inFlight === 0) this.#closeBatch(crawl, now)
      return { leases: [], status: crawl.status, closing, nextDueAt: inFlight === 0 ? now : null, ...updates }
    }
    if (crawl.deferredCursor !== null) this.#dependencies.admitDeferredBatch(crawl, now)
    // Pages are excluded in batches: before the last one, some are left that must not be visited.
    if (excludedPages > 0) return { leases: [], status: crawl.status, closing, nextDueAt: now, ...updates }
    const allowance = pageAllowance(crawl.settings, { ...readPageCounts(crawl), inFlight })
    const { granted, nextDueAt } = this.#dependencies.leaseGranter.grant(crawl, request, allowance, now)
    this.#saveLeasedHosts(
      granted.map(({ hostId }) => hostId),
      now,
    )
    const dueAt = crawl.hasUncheckedPatterns && granted.length === 0 ? now : nextDueAt
    return { leases: granted, status: crawl.status, closing, nextDueAt: dueAt, ...updates }
  }

  async commit(batch: CommitBatch): Promise<CommitResult> {
    const { crawls, clock, transactions } = this.#dependencies
    const now = clock.now()
    this.requeueExpired(now)
    const crawl = crawls.get(batch.crawlId)
    const late = batch.visits.filter((visit) => !this.#isLeaseActive(crawl, visit)).length
    let added = 0
    transactions.run(() => {
      for (const report of latestHostReports(batch.hosts)) this.#dependencies.hosts.record(report)
      crawls.countRequests(crawl, batch.requests)
      if (late === 0) added = this.#apply(crawl, batch, now)
      crawl.lateReports += late + (batch.lateReports ?? 0)
      crawls.save(crawl, now)
    })
    if (late > 0) {
      const active = this.#dependencies.leases
        .listByThread(batch.threadId)
        .filter((lease) => lease.crawl === crawl.rowId)
      for (const lease of active) lease.isFenced = true
    }
    for (const token of batch.release) {
      this.#dependencies.leaseGranter.reserveHost(crawl, batch.threadId, token, now)
      this.#dependencies.leaseGranter.requeueLease(token, now)
    }
    this.#dependencies.exclusions.excludeBlocked(crawl, now)
    this.#dependencies.exclusions.excludeBeyondPageLimit(crawl, now)
    this.wake()
    return { status: crawl.status, closing: crawl.closing !== null, late, added }
  }

  #isLeaseActive(crawl: ActiveCrawl, visit: VisitReport): boolean {
    const lease = this.#dependencies.leases.get(visit.token)
    return lease !== undefined && !lease.isFenced && lease.crawl === crawl.rowId && lease.urls.has(visit.urlId)
  }

  #apply(crawl: ActiveCrawl, batch: CommitBatch, now: number): number {
    const { crawls, leases } = this.#dependencies
    let added = 0
    let keysAt = 0
    for (const found of batch.found) {
      if (this.#dependencies.urlDiscoverer.add(crawl, found, { parent: null, depth: 0, hops: 0 }, now)) added += 1
    }
    for (const visit of batch.visits) {
      const linkKeys = batch.linkKeys.subarray(keysAt, keysAt + visit.linkCount * 8)
      keysAt += visit.linkCount * 8
      const hostId = leases.get(visit.token)?.hostId
      const url = leases.completeUrl(visit.token, visit.urlId)
      // A batch with a URL reported twice is invalid. Part of it is applied already, so the transaction has to fail.
      if (hostId === undefined || url === undefined)
        throw new AppError('INTERNAL', `URL ${visit.urlId} was reported twice.`)
      added += this.#dependencies.visitRecorder.recordVisit({
        crawl,
        threadId: batch.threadId,
        hostId,
        url,
        visit,
        linkKeys,
        now,
      })
    }
    for (const report of batch.subresources) {
      if (this.#dependencies.subresourceRecorder.record(crawl, batch.threadId, report, now)) added += 1
      // The URL may be a page, which then also is a requisite.
      else if (crawl.settings.requisites)
        this.#dependencies.urlDiscoverer.add(crawl, report.found, { parent: report.parent, depth: 0, hops: 1 }, now)
    }
    crawls.countRejected(crawl, batch.rejected, batch.samples)
    crawl.bytes += batch.bytes
    closeAtPageLimit(crawl)
    return added
  }

  async renew(tokens: number[]): Promise<number[]> {
    const { leases, clock } = this.#dependencies
    const now = clock.now()
    this.requeueExpired(now)
    const lost = tokens.filter((token) => !leases.renew(token, now))
    this.#saveLeasedHosts(
      tokens.flatMap((token) => leases.get(token)?.hostId ?? []),
      now,
    )
    return lost
  }

  /** Leases are forgotten in a crash, so the file must show that their hosts may have been requested (G5). */
  #saveLeasedHosts(hostIds: number[], now: number): void {
    const { hosts, transactions } = this.#dependencies
    const outdated = hosts.listOutdated(hostIds, now)
    if (outdated.length === 0) return
    transactions.run(() => {
      for (const host of outdated) hosts.saveLeased(host, now)
    })
  }

  waitForWork(timeoutMs: number, wakeCount: number): Promise<void> {
    if (wakeCount !== this.#wakeCount) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        cancel()
        this.#waiters.delete(finish)
        resolve()
      }
      const cancel = this.#dependencies.clock.after(timeoutMs, finish)
      this.#waiters.add(finish)
    })
  }

  #checkRenderPatterns(crawl: ActiveCrawl, now: number): void {
    if (crawl.status !== 'running' || !crawl.hasUncheckedPatterns) return
    this.#dependencies.renderPatterns.checkBatch(crawl, now)
    this.wake()
  }

  /** Judges held links once nothing else is open. */
  #judgeHeldLinks(crawl: ActiveCrawl, now: number): void {
    const isAtEnd = crawl.status === 'running' && crawl.closing === null && crawl.openCount === 0
    if (!isAtEnd || !crawl.hasHeldLinks || crawl.hasUncheckedPatterns || crawl.deferredCursor !== null) return
    this.#dependencies.heldLinks.judge(crawl, now)
    this.wake()
  }

  /** Due hosts of all running crawls in memory. */
  countDueHosts(): number {
    const { crawls, clock } = this.#dependencies
    let due = 0
    for (const crawl of crawls.all()) if (crawl.status === 'running') due += crawl.schedule.countDue(clock.now())
    return due
  }

  /** Requeues the leases of all threads of a worker. */
  requeueWorker(workerId: string): void {
    const { leases, clock } = this.#dependencies
    this.#requeueLost(leases.listByWorker(workerId), clock.now())
    this.wake()
  }

  async requeueThread(crawlId: string, threadId: string): Promise<void> {
    const { crawls, leases, clock } = this.#dependencies
    const { rowId } = crawls.get(crawlId)
    const active = leases.listByThread(threadId).filter(({ crawl }) => crawl === rowId)
    this.#requeueLost(active, clock.now())
    this.wake()
  }

  requeueExpired(now: number): void {
    this.#requeueLost(this.#dependencies.leases.listExpired(now), now)
  }

  /**
   * Requeues the leases of a lost worker that were not renewed since then, and returns the number of URLs. A thread
   * that renews its leases is alive, even if the heartbeats of its worker do not arrive.
   */
  requeueLostWorker(workerId: string, since: number): number {
    const now = this.#dependencies.clock.now()
    const silent = this.#dependencies.leases.listByWorker(workerId).filter(({ renewedAt }) => renewedAt <= since)
    const urls = silent.reduce((sum, lease) => sum + lease.urls.size, 0)
    this.#requeueLost(silent, now)
    if (silent.length > 0) this.wake()
    return urls
  }

  /** The last request of a lease that is lost, or left with its worker, may not have been reported, so its host waits one gap from now (G5). */
  #requeueLost(lost: ActiveLease[], now: number): void {
    const { hosts, crawls, leaseGranter } = this.#dependencies
    for (const { token, hostId, crawl } of lost) {
      const host = hosts.byId(hostId)
      const settings = crawls.all().find(({ rowId }) => rowId === crawl)?.settings
      if (host !== undefined) hosts.delayAfterLoss(host, settings, now)
      leaseGranter.requeueLease(token, now)
    }
  }

  #closeBatch(crawl: ActiveCrawl, now: number): void {
    this.#dependencies.closeCrawlBatch(crawl, now)
    this.wake()
  }

  /** The policies of hosts have changed: hosts may have more slots, or another weight. */
  applyPolicies(): void {
    const { hosts, crawls, clock } = this.#dependencies
    hosts.applyPolicies()
    for (const crawl of crawls.all()) crawl.schedule.setPerHost(crawl.settings.perHost, clock.now())
    this.wake()
  }

  /** Wakes all waiters for work. */
  wake(): void {
    this.#wakeCount += 1
    for (const waiter of [...this.#waiters]) waiter()
  }
}

/** Closes a crawl that has reached its page limit. It ends when nothing is in flight. */
export function closeAtPageLimit(crawl: ActiveCrawl): void {
  const { openCount: open, hasHeldLinks } = crawl
  const pages = countCrawlPages(crawl)
  if (isPageLimitReached(crawl.settings, { pages, open, hasHeldLinks })) crawl.closing ??= 'max_pages'
}
