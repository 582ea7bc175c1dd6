// Decides which hosts a thread gets, with how many slots and URLs, and requeues leases that end.

import { hostPageAllowance } from '../../../../frontier/host-pages.ts'
import {
  claimSizeWithGap,
  claimSizeWithoutGap,
  freeSlots,
  isExclusiveHost,
  mustReleaseLease,
  sharedSlots,
} from '../../../../frontier/host-slots.ts'
import { hostDueAt, isAvailableTo, isTurnOver, reservedUntil } from '../../../../frontier/host-turns.ts'
import { leasePolicyOf } from '../../../../frontier/lease-policy.ts'
import { hasGap } from '../../../../frontier/next-request.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Lease, LeaseRequest } from '../../../../ports/leases.ts'
import type { ActiveCrawl, ActiveCrawls } from '../crawl-state/active-crawls.ts'
import type { QueueExclusions } from '../crawl-state/exclude-queued.ts'
import { type Host, type Hosts, settingsAt } from '../hosts.ts'
import type { ActiveLease, Leases } from '../leases.ts'
import type { UrlClaimer } from './claim-urls.ts'
import type { HostQueue } from './host-schedule.ts'
import { endReservation, findNextCrawl } from './host-turns.ts'

export interface GrantDependencies {
  clock: Clock
  random: () => number
  crawls: ActiveCrawls
  hosts: Hosts
  leases: Leases
  urlClaimer: UrlClaimer
  exclusions: QueueExclusions
}

interface GrantResult {
  granted: Lease[]
  /** When the next host is due or its reservation ends; null if only a commit can bring work. */
  nextDueAt: number | null
}

export class LeaseGranter {
  readonly #dependencies: GrantDependencies

  constructor(dependencies: GrantDependencies) {
    this.#dependencies = dependencies
  }

  grant(crawl: ActiveCrawl, request: LeaseRequest, allowance: number, now: number): GrantResult {
    const { schedule } = crawl
    const granted: Lease[] = []
    let budget = Math.min(request.maxUrls, allowance)
    for (const token of request.topUp) {
      const lease = this.#dependencies.leases.get(token)
      const queue = lease === undefined ? undefined : schedule.queues.get(lease.hostId)
      if (lease === undefined || lease.isFenced || queue === undefined || queue.claimable === 0 || budget <= 0) continue
      if (crawl.blockedHosts.has(lease.hostId)) continue
      const { slotsPerHost } = request
      if (mustReleaseLease(settingsAt(crawl.settings, queue.host), queue.host, { slots: lease.slots, slotsPerHost }))
        continue
      if (isTurnOver(lease.grantedAt, now) && this.#nextInTurn(crawl, queue.host, now) !== null) continue
      const claimed = this.#claimUrls(crawl, queue, lease, budget, granted)
      if (claimed > 0) this.#dependencies.leases.renew(token, now)
      budget -= claimed
    }
    if (budget > 0 && granted.length < request.maxHosts) crawl.lastHostRequestAt = now
    const passedOver: HostQueue[] = []
    while (budget > 0 && granted.length < request.maxHosts) {
      const queue = schedule.takeDueHost(now, this.#dependencies.random)
      if (queue === undefined) break
      const isUnavailable =
        crawl.blockedHosts.has(queue.host.id) || this.#isReservedForOther(crawl, queue, request, now)
      const slots = isUnavailable ? 0 : this.#slotsFor(crawl, queue, request)
      if (slots === 0 || queue.claimable === 0 || !isDue(queue, now)) {
        passedOver.push(queue)
        continue
      }
      const lease = this.#dependencies.leases.grant(
        { threadId: request.threadId, crawl: crawl.rowId, hostId: queue.host.id, slots },
        now,
      )
      queue.host.leasedSlots += slots
      endReservation(this.#dependencies.crawls, queue.host, now, crawl)
      queue.servedAt = now
      const claimed = this.#claimUrls(crawl, queue, lease, budget, granted)
      budget -= claimed
      if (claimed === 0) this.requeueLease(lease.token, now)
      else schedule.reschedule(queue, now)
    }
    let firstReservationEnd: number | null = null
    for (const queue of passedOver) {
      schedule.reschedule(queue, now)
      if (queue.position === 'ready')
        firstReservationEnd = earliest(firstReservationEnd, queue.host.reservation?.until ?? null)
    }
    // With enough pages in flight, only a commit can bring work; no host is worth waiting for.
    const nextDueAt = allowance > 0 ? earliest(schedule.nextDueAt(), firstReservationEnd) : null
    return { granted, nextDueAt }
  }

  /** Reserves a released host for the crawl whose turn is next, or else for the thread that had it. */
  reserveHost(crawl: ActiveCrawl, holder: string, token: number, now: number): void {
    const lease = this.#dependencies.leases.get(token)
    const host = lease === undefined ? undefined : this.#dependencies.hosts.byId(lease.hostId)
    if (host === undefined) return
    const until = reservedUntil(host.nextAt, now)
    const next = this.#nextInTurn(crawl, host, now)
    host.reservation =
      next === null ? { holder, crawl: crawl.rowId, until } : { holder: null, crawl: next.rowId, until }
  }

  #nextInTurn(crawl: ActiveCrawl, host: Host, now: number): ActiveCrawl | null {
    return findNextCrawl(this.#dependencies.crawls, host, now, crawl)
  }

  #isReservedForOther(crawl: ActiveCrawl, queue: HostQueue, request: LeaseRequest, now: number): boolean {
    const { reservation, health } = queue.host
    if (reservation === null) return false
    const requester = {
      crawl: crawl.rowId,
      holder: request.threadId,
      isExclusive: isExclusiveHost(settingsAt(crawl.settings, queue.host), queue.host),
    }
    return !isAvailableTo({ reservation, downUntil: health.downUntil }, requester, now)
  }

  #slotsFor(crawl: ActiveCrawl, queue: HostQueue, request: LeaseRequest): number {
    const settings = settingsAt(crawl.settings, queue.host)
    const isExclusive = isExclusiveHost(settings, queue.host)
    const free = freeSlots(settings, isExclusive, queue.host.leasedSlots)
    if (isExclusive || free === 0) return free
    // Slots are counted only if the host is leased: most hosts are not, and a thread may have hundreds of leases.
    const { id, leasedSlots } = queue.host
    const own = leasedSlots === 0 ? 0 : this.#dependencies.leases.countSlots(request.threadId, id)
    return sharedSlots(free, { own, slotsPerHost: request.slotsPerHost })
  }

  #claimUrls(crawl: ActiveCrawl, queue: HostQueue, lease: ActiveLease, budget: number, granted: Lease[]): number {
    const { urlClaimer, exclusions, clock } = this.#dependencies
    const now = clock.now()
    const settings = settingsAt(crawl.settings, queue.host)
    const wanted = hasGap(settings, queue.host)
      ? claimSizeWithGap(settings, queue.host, this.#nextInTurn(crawl, queue.host, now) !== null)
      : claimSizeWithoutGap(settings, queue.host, lease.slots)
    const count = Math.min(budget, wanted, this.#hostAllowance(crawl, queue, now))
    let { urls, hasTooDeep } = urlClaimer.claimUrls(crawl, queue, lease, count, now)
    if (hasTooDeep) {
      exclusions.excludeTooDeep(crawl, queue, now)
      if (urls.length === 0) urls = urlClaimer.claimUrls(crawl, queue, lease, count, now).urls
    }
    if (urls.length === 0) return 0
    const { id, name, nextAt, responseMs, gapMs, concurrencyLimit, health } = queue.host
    granted.push({
      token: lease.token,
      hostId: id,
      host: name,
      slots: lease.slots,
      nextAt,
      responseMs,
      gapMs,
      concurrencyLimit,
      health,
      policy: leasePolicyOf(crawl.settings, settings),
      urls,
    })
    return urls.length
  }

  /** URLs of the host that may be claimed before it has all the pages that its policy allows. */
  #hostAllowance(crawl: ActiveCrawl, queue: HostQueue, now: number): number {
    const maxPages = queue.host.policy?.maxPages ?? null
    if (maxPages === null) return Number.POSITIVE_INFINITY
    const { crawls, exclusions } = this.#dependencies
    const pages = crawls.countHostPages(crawl).get(queue.host.id) ?? 0
    const allowance = hostPageAllowance(maxPages, { pages, inFlight: queue.inFlight })
    if (allowance.kind === 'claim') return allowance.urls
    // Only revisits and requisites are left then.
    return exclusions.excludeBeyondHostLimit(crawl, queue, now) > 0 ? 0 : Number.POSITIVE_INFINITY
  }

  /** Returns the URLs of a lease to the queue, and its slots to the host. */
  requeueLease(token: number, now: number): void {
    const { leases, hosts, crawls } = this.#dependencies
    const lease = leases.remove(token)
    if (lease === undefined) return
    const host = hosts.byId(lease.hostId)
    if (host !== undefined) host.leasedSlots -= lease.slots
    for (const crawl of crawls.all()) {
      const queue = crawl.schedule.queues.get(lease.hostId)
      if (queue === undefined) continue
      if (crawl.rowId === lease.crawl) {
        for (const url of lease.urls.values()) {
          queue.inFlight -= 1
          queue.claimable += 1
          if (url.isDelayed) {
            queue.delayed += 1
            queue.nextDelayedAt = now
          }
        }
        if (lease.urls.size > 0) queue.reopen(1)
      }
      crawl.schedule.reschedule(queue, now)
    }
  }
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

function isDue({ host }: HostQueue, now: number): boolean {
  return hostDueAt(host.nextAt, host.health.downUntil, now) <= now
}
