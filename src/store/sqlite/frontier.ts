// The frontier on SQLite, called by one thread only. Rows say what is open and what has ended; leases and the
// order of hosts live in memory (leases.ts, schedule.ts) and are rebuilt from the rows when the file is opened.

import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type {
  CommitBatch,
  CommitResult,
  Frontier,
  Lease,
  LeaseGrant,
  LeaseRequest,
  VisitReport,
} from '../../ports/frontier.ts'
import { urlsPerTurn } from '../rows/turn.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import type { CloseSome } from './close-some.ts'
import type { DeepenSome } from './deepen.ts'
import type { Discover } from './discover.ts'
import type { ExcludeQueued } from './exclude-queued.ts'
import type { Host, Hosts } from './hosts.ts'
import type { HeldLease, Leases } from './leases.ts'
import type { Patterns } from './patterns.ts'
import type { HostQueue } from './schedule.ts'
import type { Settle } from './settle.ts'
import type { Take } from './take.ts'
import type { Transactions } from './transaction.ts'
import { endKeeping, isTurnOver, nextInTurn } from './turns.ts'

export interface FrontierParts {
  clock: Clock
  random: () => number
  transactions: Transactions
  crawls: ActiveCrawls
  hosts: Hosts
  leases: Leases
  settle: Settle
  take: Take
  patterns: Patterns
  discover: Discover
  closeSome: CloseSome
  deepenSome: DeepenSome
  exclude: ExcludeQueued
}

/** Urls taken at a time for each slot of a host that is asked without a gap, and for a host with one. */
const URLS_PER_SLOT = 16
const URLS_WITH_GAP = 16
/** A host that came back stays for whoever it is kept for, if they ask within this time. */
const KEPT_MS = 500

interface Grant {
  granted: Lease[]
  /** When a host that is due, but kept for another worker, can be had. */
  keptUntil: number | null
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
    const closing = crawl.closing !== null
    const news = { ...this.#parts.patterns.since(crawl, request.patternsVersion), heard: this.#heard }
    if (crawl.status !== 'running') return { leases: [], status: crawl.status, closing, nextDueAt: null, ...news }
    if (closing) {
      if (inFlight === 0) this.#closeSome(crawl, now)
      return { leases: [], status: crawl.status, closing, nextDueAt: inFlight === 0 ? now : null, ...news }
    }
    if (crawl.deepenedTo !== null) this.#parts.deepenSome(crawl, now)
    const allowance = this.#allowance(crawl, inFlight)
    const { granted, keptUntil } = this.#grant(crawl, request, allowance, now)
    // With enough pages in flight no host's time helps; only a commit does.
    const nextDueAt = allowance > 0 ? earliest(crawl.schedule.nextDueAt(), keptUntil) : null
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
      for (const host of batch.hosts) this.#parts.hosts.record(host)
      if (late === 0) added = this.#apply(crawl, batch, now)
      crawl.lateReports += late
      crawls.save(crawl, now)
    })
    if (late > 0) {
      const held = this.#parts.leases.heldBy(batch.workerId).filter((lease) => lease.crawl === crawl.rowId)
      for (const lease of held) lease.isFenced = true
    }
    for (const token of batch.release) {
      this.#keep(crawl, batch.workerId, token, now)
      this.#handBack(token, now)
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
    const { crawls, leases, patterns } = this.#parts
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
    patterns.record(crawl, batch.patterns)
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

  /** max_pages is exact: never more urls in flight than pages still wanted. */
  #allowance(crawl: ActiveCrawl, inFlight: number): number {
    const { maxPages } = crawl.settings
    return maxPages === null ? Number.POSITIVE_INFINITY : Math.max(0, maxPages - pagesOf(crawl) - inFlight)
  }

  #grant(crawl: ActiveCrawl, request: LeaseRequest, allowance: number, now: number): Grant {
    const { schedule } = crawl
    const granted: Lease[] = []
    let budget = Math.min(request.maxUrls, allowance)
    for (const token of request.topUp) {
      const lease = this.#parts.leases.get(token)
      const queue = lease === undefined ? undefined : schedule.queues.get(lease.hostId)
      if (lease === undefined || lease.isFenced || queue === undefined || queue.free === 0 || budget <= 0) continue
      if (crawl.blocked.has(lease.hostId)) continue
      // Without a delay slots are shared. One that was given whole while nobody knew the host, or whose host has turned
      // out to want a gap, has to come back.
      const isShared = crawl.settings.delayMs === 0
      if (isShared && (lease.slots > request.slotsPerHost || this.#hasGap(crawl, queue))) continue
      if (isTurnOver(lease, now) && this.#nextInTurn(crawl, queue.host, now) !== null) continue
      const taken = this.#fill(crawl, queue, lease, budget, granted)
      if (taken > 0) this.#parts.leases.renew(token, now)
      budget -= taken
    }
    if (budget > 0 && granted.length < request.maxHosts) crawl.askedAt = now
    const passedOver: HostQueue[] = []
    while (budget > 0 && granted.length < request.maxHosts) {
      const queue = schedule.take(now, this.#parts.random)
      if (queue === undefined) break
      const isBarred = crawl.blocked.has(queue.host.id) || this.#isKeptForOther(crawl, queue, request, now)
      const slots = isBarred ? 0 : this.#slotsFor(crawl, queue, request)
      if (slots === 0 || queue.free === 0 || !isDue(queue, now)) {
        passedOver.push(queue)
        continue
      }
      const lease = this.#parts.leases.grant(
        { workerId: request.workerId, crawl: crawl.rowId, hostId: queue.host.id, slots },
        now,
      )
      queue.host.busy += slots
      endKeeping(this.#parts.crawls, queue.host, now, crawl)
      queue.servedAt = now
      const taken = this.#fill(crawl, queue, lease, budget, granted)
      budget -= taken
      if (taken === 0) this.#handBack(lease.token, now)
      else schedule.place(queue, now)
    }
    let keptUntil: number | null = null
    for (const queue of passedOver) {
      schedule.place(queue, now)
      if (queue.place === 'ready') keptUntil = earliest(keptUntil, queue.host.kept?.until ?? null)
    }
    return { granted, keptUntil }
  }

  /** A host that comes back is kept for the crawl whose turn it is, or else for the worker that had it. */
  #keep(crawl: ActiveCrawl, worker: string, token: number, now: number): void {
    const lease = this.#parts.leases.get(token)
    const host = lease === undefined ? undefined : this.#parts.hosts.byId(lease.hostId)
    if (host === undefined) return
    const until = Math.max(now, host.nextAt) + KEPT_MS
    const next = this.#nextInTurn(crawl, host, now)
    host.kept = next === null ? { worker, crawl: crawl.rowId, until } : { worker: null, crawl: next.rowId, until }
  }

  #nextInTurn(crawl: ActiveCrawl, host: Host, now: number): ActiveCrawl | null {
    return nextInTurn(this.#parts.crawls, host, now, crawl)
  }

  #isKeptForOther(crawl: ActiveCrawl, queue: HostQueue, request: LeaseRequest, now: number): boolean {
    const { kept, health } = queue.host
    // A host that is given up is not asked: there is nothing to keep.
    if (kept === null || kept.until <= now || health.downUntil > now) return false
    if (kept.worker === null) return kept.crawl !== crawl.rowId
    return kept.worker !== request.workerId && this.#hasGap(crawl, queue)
  }

  /** A host with a gap belongs whole to one worker, which alone can keep the gap; without one its slots are shared. */
  #slotsFor(crawl: ActiveCrawl, queue: HostQueue, request: LeaseRequest): number {
    const { perHost } = crawl.settings
    if (this.#hasGap(crawl, queue)) return queue.host.busy === 0 ? perHost : 0
    const own = this.#parts.leases
      .heldBy(request.workerId)
      .reduce((sum, lease) => sum + (lease.hostId === queue.host.id ? lease.slots : 0), 0)
    return Math.max(0, Math.min(perHost - queue.host.busy, request.slotsPerHost - own))
  }

  /** A host that nobody has asked yet may want one: its robots.txt will tell. */
  #hasGap(crawl: ActiveCrawl, queue: HostQueue): boolean {
    const { delayMs, ignoreRobots } = crawl.settings
    return delayMs !== 0 || queue.host.gapMs > 0 || (!ignoreRobots && queue.host.responseMs === 0)
  }

  #fill(crawl: ActiveCrawl, queue: HostQueue, lease: HeldLease, budget: number, granted: Lease[]): number {
    const { take, exclude, clock } = this.#parts
    const now = clock.now()
    const wanted = this.#hasGap(crawl, queue) ? this.#handWithGap(crawl, queue, now) : lease.slots * URLS_PER_SLOT
    let { urls, hasTooDeep } = take.urls(crawl, queue, lease, Math.min(budget, wanted), now)
    if (hasTooDeep) {
      exclude.deep(crawl, queue, now)
      if (urls.length === 0) urls = take.urls(crawl, queue, lease, Math.min(budget, wanted), now).urls
    }
    if (urls.length === 0) return 0
    const { id, name, nextAt, responseMs, gapMs, health } = queue.host
    granted.push({
      token: lease.token,
      hostId: id,
      host: name,
      slots: lease.slots,
      notBefore: nextAt,
      responseMs,
      gapMs,
      health,
      urls,
    })
    return urls.length
  }

  #handWithGap(crawl: ActiveCrawl, { host }: HostQueue, now: number): number {
    if (this.#nextInTurn(crawl, host, now) === null) return URLS_WITH_GAP
    return Math.min(URLS_WITH_GAP, urlsPerTurn(crawl.settings, host.gapMs))
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
    const { leases, clock } = this.#parts
    for (const lease of leases.ofProcess(process)) this.#handBack(lease.token, clock.now())
    this.wake()
  }

  takeBackExpired(now: number): void {
    const { leases, hosts, crawls } = this.#parts
    for (const { token, hostId, crawl } of leases.expired(now)) {
      const host = hosts.byId(hostId)
      const delayMs = crawls.all().find(({ rowId }) => rowId === crawl)?.settings.delayMs ?? 0
      if (host !== undefined) hosts.holdBack(host, delayMs, now)
      this.#handBack(token, now)
    }
  }

  #handBack(token: number, now: number): void {
    const { leases, hosts, crawls } = this.#parts
    const lease = leases.remove(token)
    if (lease === undefined) return
    const host = hosts.byId(lease.hostId)
    if (host !== undefined) host.busy -= lease.slots
    for (const crawl of crawls.all()) {
      const queue = crawl.schedule.queues.get(lease.hostId)
      if (queue === undefined) continue
      if (crawl.rowId === lease.crawl) {
        for (const url of lease.urls.values()) {
          queue.held -= 1
          queue.free += 1
          if (url.wasWaiting) {
            queue.waiting += 1
            queue.waitingAt = now
          }
        }
        if (lease.urls.size > 0) queue.reopen(1)
      }
      crawl.schedule.place(queue, now)
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
  if (maxPages !== null && pagesOf(crawl) >= maxPages && crawl.open > 0) crawl.closing ??= 'max_pages'
}

function pagesOf(crawl: ActiveCrawl): number {
  return crawl.ended.visited - crawl.sitemaps
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

function isDue(queue: HostQueue, now: number): boolean {
  return queue.host.nextAt <= now || queue.host.health.downUntil > now
}
