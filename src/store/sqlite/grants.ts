// Which hosts a worker gets, with how many slots and urls, and what becomes of them when they come back.

import type { Clock } from '../../lib/clock.ts'
import type { Lease, LeaseRequest } from '../../ports/frontier.ts'
import { hasGap, hasToComeBack, isExclusive, urlsWithoutGap } from '../rows/exclusive-host.ts'
import { urlsPerTurn } from '../rows/turn.ts'
import type { ActiveCrawl, ActiveCrawls } from './active-crawl.ts'
import type { ExcludeQueued } from './exclude-queued.ts'
import type { Host, Hosts } from './hosts.ts'
import type { HeldLease, Leases } from './leases.ts'
import type { HostQueue } from './schedule.ts'
import type { Take } from './take.ts'
import { endKeeping, isTurnOver, nextInTurn } from './turns.ts'

export interface GrantParts {
  clock: Clock
  random: () => number
  crawls: ActiveCrawls
  hosts: Hosts
  leases: Leases
  take: Take
  exclude: ExcludeQueued
}

/** Urls taken at a time for a host with a gap. */
const URLS_WITH_GAP = 16
/** A host that came back stays for whoever it is kept for, if they ask within this time. */
const KEPT_MS = 500

interface Granted {
  granted: Lease[]
  /** When the next host can be had, kept for another worker or not; null when time alone brings none. */
  nextDueAt: number | null
}

export class Grants {
  readonly #parts: GrantParts

  constructor(parts: GrantParts) {
    this.#parts = parts
  }

  grant(crawl: ActiveCrawl, request: LeaseRequest, allowance: number, now: number): Granted {
    const { schedule } = crawl
    const granted: Lease[] = []
    let budget = Math.min(request.maxUrls, allowance)
    for (const token of request.topUp) {
      const lease = this.#parts.leases.get(token)
      const queue = lease === undefined ? undefined : schedule.queues.get(lease.hostId)
      if (lease === undefined || lease.isFenced || queue === undefined || queue.free === 0 || budget <= 0) continue
      if (crawl.blocked.has(lease.hostId)) continue
      const { slotsPerHost } = request
      if (hasToComeBack(crawl.settings, queue.host, { slots: lease.slots, slotsPerHost })) continue
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
      if (taken === 0) this.handBack(lease.token, now)
      else schedule.place(queue, now)
    }
    let keptUntil: number | null = null
    for (const queue of passedOver) {
      schedule.place(queue, now)
      if (queue.place === 'ready') keptUntil = earliest(keptUntil, queue.host.kept?.until ?? null)
    }
    // With enough pages in flight no host's time helps; only a commit does.
    const nextDueAt = allowance > 0 ? earliest(schedule.nextDueAt(), keptUntil) : null
    return { granted, nextDueAt }
  }

  /** A host that comes back is kept for the crawl whose turn it is, or else for the worker that had it. */
  keep(crawl: ActiveCrawl, worker: string, token: number, now: number): void {
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
    return kept.worker !== request.workerId && isExclusive(crawl.settings, queue.host)
  }

  #slotsFor(crawl: ActiveCrawl, queue: HostQueue, request: LeaseRequest): number {
    const { perHost } = crawl.settings
    if (isExclusive(crawl.settings, queue.host)) return queue.host.busy === 0 ? perHost : 0
    const own = this.#parts.leases
      .heldBy(request.workerId)
      .reduce((sum, lease) => sum + (lease.hostId === queue.host.id ? lease.slots : 0), 0)
    return Math.max(0, Math.min(perHost - queue.host.busy, request.slotsPerHost - own))
  }

  #fill(crawl: ActiveCrawl, queue: HostQueue, lease: HeldLease, budget: number, granted: Lease[]): number {
    const { take, exclude, clock } = this.#parts
    const now = clock.now()
    const { settings } = crawl
    const wanted = hasGap(settings, queue.host)
      ? this.#handWithGap(crawl, queue, now)
      : urlsWithoutGap(settings, queue.host, lease.slots)
    let { urls, hasTooDeep } = take.urls(crawl, queue, lease, Math.min(budget, wanted), now)
    if (hasTooDeep) {
      exclude.deep(crawl, queue, now)
      if (urls.length === 0) urls = take.urls(crawl, queue, lease, Math.min(budget, wanted), now).urls
    }
    if (urls.length === 0) return 0
    const { id, name, nextAt, responseMs, gapMs, concurrencyLimit, health } = queue.host
    granted.push({
      token: lease.token,
      hostId: id,
      host: name,
      slots: lease.slots,
      notBefore: nextAt,
      responseMs,
      gapMs,
      concurrencyLimit,
      health,
      urls,
    })
    return urls.length
  }

  #handWithGap(crawl: ActiveCrawl, { host }: HostQueue, now: number): number {
    if (this.#nextInTurn(crawl, host, now) === null) return URLS_WITH_GAP
    return Math.min(URLS_WITH_GAP, urlsPerTurn(crawl.settings, host.gapMs))
  }

  /** The urls are free again, and so are the slots. */
  handBack(token: number, now: number): void {
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
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

function isDue(queue: HostQueue, now: number): boolean {
  return queue.host.nextAt <= now || queue.host.health.downUntil > now
}
