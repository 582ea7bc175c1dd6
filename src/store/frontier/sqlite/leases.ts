// Leases, in the memory of the one process that owns the file. If it dies, they are gone, and every URL that was in
// flight is still queued in the file. Within the process they guard against a crawl thread that hangs: a lease that
// is not renewed in time is requeued, and later reports under it are rejected.

import type { PatternTrial } from '../../../frontier/judge-pattern.ts'
import type { UrlInFlight } from '../../../ports/crawls.ts'
import type { UrlKind } from '../../../ports/visits.ts'

export interface InFlightUrl {
  readonly id: number
  readonly url: string
  /** May change while the URL is in flight: from requisite to page, from page to sitemap. */
  kind: UrlKind
  readonly leasedKind: UrlKind
  readonly attempts: number
  /** Current depth and hops. If a shorter path is found, they are lowered. */
  depth: number
  hops: number
  /** The depth when it was leased. */
  readonly leasedDepth: number
  readonly isDelayed: boolean
  readonly trials: readonly PatternTrial[]
  readonly countsAsTrial: boolean
}

export interface ActiveLease {
  token: number
  threadId: string
  crawl: number
  hostId: number
  slots: number
  grantedAt: number
  /** When the lease was granted or last renewed. */
  renewedAt: number
  expiresAt: number
  /**
   * Reports under this lease are rejected. Host and URLs stay leased until it is released or expires, since requests
   * may be in flight.
   */
  isFenced: boolean
  urls: Map<number, InFlightUrl>
}

export class Leases {
  readonly #byToken = new Map<number, ActiveLease>()
  readonly #byUrl = new Map<number, ActiveLease>()
  readonly #byThread = new Map<string, Set<ActiveLease>>()
  /** Numbers of URLs in flight by crawl. Every request needs one, so they are not counted again (2026-11). */
  readonly #inFlight = new Map<number, number>()
  /** No lease expires before this. Every request looks for expired leases, and few find any. */
  #noneExpiresBefore = Number.POSITIVE_INFINITY
  readonly #durationMs: number
  #lastToken: number

  /** `firstToken` must be greater than any token of an earlier process, or a report of that process could be accepted. */
  constructor(durationMs: number, firstToken: number) {
    this.#durationMs = durationMs
    this.#lastToken = firstToken
  }

  grant(to: { threadId: string; crawl: number; hostId: number; slots: number }, now: number): ActiveLease {
    this.#lastToken += 1
    const lease: ActiveLease = {
      ...to,
      token: this.#lastToken,
      grantedAt: now,
      renewedAt: now,
      expiresAt: now + this.#durationMs,
      isFenced: false,
      urls: new Map(),
    }
    this.#byToken.set(lease.token, lease)
    const ofThread = this.#byThread.get(to.threadId) ?? new Set()
    this.#byThread.set(to.threadId, ofThread.add(lease))
    this.#noneExpiresBefore = Math.min(this.#noneExpiresBefore, lease.expiresAt)
    return lease
  }

  addUrl(lease: ActiveLease, url: InFlightUrl): void {
    lease.urls.set(url.id, url)
    this.#byUrl.set(url.id, lease)
    this.#countInFlight(lease.crawl, 1)
  }

  get(token: number): ActiveLease | undefined {
    return this.#byToken.get(token)
  }

  /** The URL if it is in flight under any lease. */
  urlInFlight(urlId: number): InFlightUrl | undefined {
    return this.#byUrl.get(urlId)?.urls.get(urlId)
  }

  /** Removes a URL from a lease; undefined if the lease does not have it. */
  completeUrl(token: number, urlId: number): InFlightUrl | undefined {
    const lease = this.#byToken.get(token)
    const url = lease?.urls.get(urlId)
    if (lease === undefined || url === undefined) return undefined
    lease.urls.delete(urlId)
    this.#byUrl.delete(urlId)
    this.#countInFlight(lease.crawl, -1)
    return url
  }

  renew(token: number, now: number): boolean {
    const lease = this.#byToken.get(token)
    if (lease === undefined || lease.isFenced) return false
    lease.renewedAt = now
    lease.expiresAt = now + this.#durationMs
    // The clock may have been set back.
    this.#noneExpiresBefore = Math.min(this.#noneExpiresBefore, lease.expiresAt)
    return true
  }

  /** Removes a lease. The caller requeues its URLs. */
  remove(token: number): ActiveLease | undefined {
    const lease = this.#byToken.get(token)
    if (lease === undefined) return undefined
    this.#byToken.delete(token)
    for (const id of lease.urls.keys()) this.#byUrl.delete(id)
    this.#countInFlight(lease.crawl, -lease.urls.size)
    const ofThread = this.#byThread.get(lease.threadId)
    ofThread?.delete(lease)
    if (ofThread?.size === 0) this.#byThread.delete(lease.threadId)
    return lease
  }

  /** Slots of a host that a thread has. */
  countSlots(threadId: string, hostId: number): number {
    let slots = 0
    for (const lease of this.#byThread.get(threadId) ?? []) if (lease.hostId === hostId) slots += lease.slots
    return slots
  }

  listByThread(threadId: string): ActiveLease[] {
    return [...(this.#byThread.get(threadId) ?? [])]
  }

  /** Leases of all threads of a worker. A thread id is the worker id with a number. */
  listByWorker(workerId: string): ActiveLease[] {
    return [...this.#byToken.values()].filter(({ threadId }) => threadId.startsWith(`${workerId}-`))
  }

  listExpired(now: number): ActiveLease[] {
    const late: ActiveLease[] = []
    if (now < this.#noneExpiresBefore) return late
    let next = Number.POSITIVE_INFINITY
    for (const lease of this.#byToken.values()) {
      if (lease.expiresAt <= now) late.push(lease)
      next = Math.min(next, lease.expiresAt)
    }
    this.#noneExpiresBefore = next
    return late
  }

  /** Ids of the URLs of a host that are in flight. */
  urlIdsInFlight(crawl: number, hostId: number): number[] {
    const ids: number[] = []
    for (const lease of this.#byToken.values()) {
      if (lease.crawl === crawl && lease.hostId === hostId) ids.push(...lease.urls.keys())
    }
    return ids
  }

  listInFlight(crawl: number): UrlInFlight[] {
    const leases = [...this.#byToken.values()].filter((lease) => lease.crawl === crawl)
    return leases.flatMap(({ urls, threadId, grantedAt: leasedAt, renewedAt }) =>
      [...urls.keys()].map((urlId) => ({ urlId, threadId, leasedAt, renewedAt })),
    )
  }

  countInFlight(crawl: number): number {
    return this.#inFlight.get(crawl) ?? 0
  }

  #countInFlight(crawl: number, by: number): void {
    const count = this.countInFlight(crawl) + by
    if (count === 0) this.#inFlight.delete(crawl)
    else this.#inFlight.set(crawl, count)
  }
}
